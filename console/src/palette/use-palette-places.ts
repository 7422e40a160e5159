import { useLocation } from 'wouter';
import { useMayManageKeys } from '../keys/use-keys.ts';
import { useMayEdit } from '../service/session.ts';
import { useOperatorPlaces, usePlaces } from '../shell/use-places.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import type { Entry, EntryGroup } from './palette-entries.ts';

const readPages = ['records', 'history', 'ask', 'dnssec', 'nameservers'] as const;

/** The pages of the domain that is open, if one is, and the places of the account. */
export function usePalettePlaces(): readonly EntryGroup[] {
  const [at] = useLocation();
  const [, domain = ''] = /^\/d\/([^/]+)/.exec(at) ?? [];
  const mayEdit = useMayEdit(domain);
  const mayManageKeys = useMayManageKeys();
  const places = [
    ...usePlaces(),
    { href: '/domains/deleted', label: text.deletedDomains.title },
    ...(mayManageKeys ? [{ href: '/keys/new', label: text.newKey.title }] : []),
    { href: '/account', label: text.user.title },
    ...useOperatorPlaces(),
  ];
  return [
    ...(domain === '' ? [] : [{ title: toUnicode(domain), entries: pagesOf(domain, mayEdit) }]),
    { title: text.places, entries: places.map(({ href, label }) => ({ key: href, href, label })) },
  ];
}

function pagesOf(domain: string, mayEdit: boolean): readonly Entry[] {
  const pages = [
    ...readPages.map((page) => ({ page, label: text.domain[page] })),
    ...(mayEdit
      ? [
          { page: 'review', label: text.palette.review },
          { page: 'import', label: text.domain.import },
        ]
      : []),
  ];
  return pages.map(({ page, label }) => {
    const href = `/d/${encodeURIComponent(domain)}/${page}`;
    return { key: href, href, label };
  });
}
