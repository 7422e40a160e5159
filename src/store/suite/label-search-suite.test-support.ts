import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { newName, newRecord, type StoreScene } from './store-scene.test-support.ts';

const all = { direction: 'after', key: null, limit: 100 } as const;

/** Searches for names with U-labels and A-labels. */
export function labelSearchSuite(scene: () => StoreScene): void {
  test('names are found by their U-labels and A-labels, in upper or lower case', async () => {
    const { store } = scene();
    await fc.assert(
      fc.asyncProperty(
        anyName,
        fc.array(anyHost, { minLength: 1 }),
        anySearches,
        async (top, hosts, searches) => {
          const tenant = await scene().newAccount();
          const name = `${domainToASCII(top)}.${newName()}` as ZoneName;
          const records = hosts.map(({ owner, target }) => aliasRecord(owner, target));
          const domain = await tenant.createDomain(name, records);
          for (const search of searches) {
            const matches = matcher(search);
            const expected = records.filter(({ name, owner, data }) => matches([name, data], owner));
            const listed = await store.listRecords(domain, all, { search });
            expect(idsOf(listed.rows), search).toEqual(idsOf(expected));
            const inFull = records.filter((record) =>
              matches([`${record.name}.${name}`, record.data], `${record.owner}.${name}`),
            );
            const found = await store.searchRecords(tenant.account.id, all, { search });
            expect(idsOf(found.rows), search).toEqual(idsOf(inFull));
            const domains = await store.listDomains(tenant.account.id, all, search);
            expect(domains.total, search).toBe(matches([name], name) ? 1 : 0);
            expect([listed.total, found.total]).toEqual([expected.length, inFull.length]);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
}

/** Search texts: one name in both forms and in upper and lower case, and others. */
const anyLabel = fc.constantFrom(
  ...[
    'münchen',
    'MÜNCHEN',
    'xn--mnchen-3ya',
    'XN--MNCHEN-3YA',
    'straße',
    'xn--strae-oqa',
    'Bücher',
    'www',
    'münch',
    'xn--',
  ],
);
const anyName = fc.constantFrom('münchen', 'xn--strae-oqa', 'www', 'BÜCHER');
const anyHost = fc.record({
  owner: anyLabel,
  target: fc.tuple(anyLabel, anyLabel).map((two) => two.join('.')),
});
const anySearches = fc.array(
  fc.array(anyLabel, { minLength: 1, maxLength: 2 }).map((labels) => labels.join('.')),
  { minLength: 10, maxLength: 10 },
);

function matcher(search: string): (shown: readonly string[], owner: string) => boolean {
  const forms = otherForms(search);
  return (shown, owner) =>
    forms.some((form) => owner.includes(form)) ||
    shown.some((text) => [search, ...forms].some((form) => upper(text).includes(upper(form))));
}

/**
 * Returns the search text with A-labels and with U-labels, if it has either. Uses the IDNA functions of Node, which are
 * independent of those of the store and parse the host of a URL, up to the first character that ends one.
 */
export function otherForms(search: string): readonly string[] {
  const ascii = /^[a-z0-9._*\-\P{ASCII}]+$/iu.test(search) ? toAscii(search) : '';
  return /(^|\.)xn--/.test(ascii) ? [ascii, domainToUnicode(ascii)] : [];
}

/** UTS 46 rejects the empty A-label "xn--"; Node 24 and later accept it. */
function toAscii(name: string): string {
  return /(^|\.)xn--(\.|$)/i.test(name) ? '' : domainToASCII(name);
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

function aliasRecord(name: string, target: string): DomainRecord {
  const owner = (toAscii(name) || name.toLowerCase()) as OwnerKey;
  return newRecord(name, 1, { owner, type: 5, data: target });
}

/** Lower-cases ASCII letters only. */
function upper(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}
