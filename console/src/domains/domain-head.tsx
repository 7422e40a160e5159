import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { useMayManageDomains } from '../service/session.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { DeleteDomainDialog } from './delete-domain-dialog.tsx';
import { saveZoneFile } from './save-zone-file.ts';
import { useDomain, useLiveReport } from './use-propagation.ts';

interface DomainHeadProps {
  /** With A-labels. */
  readonly domain: string;
  /** Buttons of the page. */
  readonly children?: ReactNode;
}

/** Name, state and tabs of a domain. */
export function DomainHead({ domain, children }: DomainHeadProps) {
  const [isDeleting, setDeleting] = useState(false);
  const mayManage = useMayManageDomains();
  const saving = useMutation({ mutationFn: () => saveZoneFile(domain) });
  const [, navigate] = useLocation();
  const shown = toUnicode(domain);
  return (
    <>
      <div className="head">
        <h1>
          {shown} {shown !== domain && <span className="muted small mono">{domain}</span>}
        </h1>
        <LiveState domain={domain} />
        {children}
        <Menu
          label={text.domain.actions}
          className="button icon"
          groups={[
            {
              entries: [
                {
                  label: text.domain.import,
                  onChoose: () => navigate(`/d/${encodeURIComponent(domain)}/import`),
                },
                { label: text.domain.export, onChoose: () => saving.mutate() },
                ...(mayManage
                  ? [{ label: text.domainList.delete, isDanger: true, onChoose: () => setDeleting(true) }]
                  : []),
              ],
            },
          ]}
        >
          <MoreIcon />
        </Menu>
      </div>
      <nav className="tabs" aria-label={shown}>
        {tabs.map((page) => (
          <Tab key={page} domain={domain} page={page} />
        ))}
      </nav>
      <div className="bands">
        <ErrorBand error={saving.error} onRepeat={() => saving.mutate()} />
        <WithheldBand domain={domain} />
      </div>
      {isDeleting && <DeleteDomainDialog domain={domain} onClose={() => setDeleting(false)} />}
    </>
  );
}

const tabs = ['records', 'history', 'ask', 'dnssec', 'nameservers'] as const;

type TabName = (typeof tabs)[number];

/** Pages that a tab leads to by others. */
const below: Readonly<Record<string, TabName>> = { review: 'records', import: 'records', at: 'history' };

function Tab({ domain, page }: { readonly domain: string; readonly page: TabName }) {
  const [at] = useLocation();
  const href = `/d/${encodeURIComponent(domain)}/${page}`;
  const [, shown = ''] = /^\/d\/[^/]+\/([^/]+)/.exec(at) ?? [];
  const isHere = shown === page || below[shown] === page;
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {text.domain[page]}
    </Link>
  );
}

/** The nameservers themselves say what they have. */
function LiveState({ domain }: { readonly domain: string }) {
  const report = useLiveReport(domain);
  if (report === undefined) return null;
  const { serial, current, live, behind, silent } = report;
  const all = live.length + behind.length + silent.length;
  const words = [
    all === 0 ? text.domain.noNameserver : text.domain.live(live.length, all),
    ...(behind.length > 0 ? [text.domain.behind(behind.join(', '))] : []),
    ...(silent.length > 0 ? [text.domain.silent(silent.join(', '))] : []),
  ];
  return (
    <span className="line small numbers" title={text.domain.serial(serial)}>
      <span className={current ? 'dot on' : 'dot'} aria-hidden="true" />
      {words.join('. ')}
    </span>
  );
}

function WithheldBand({ domain }: { readonly domain: string }) {
  const { data } = useDomain(domain);
  const reasons = data?.withheld ?? [];
  if (reasons.length === 0) return null;
  return (
    <Band kind="warning" title={text.domain.withheld}>
      {reasons.includes('suspended') && <p>{text.domain.suspended}</p>}
      {reasons.includes('unverified') && (
        <Link href={`/d/${encodeURIComponent(domain)}/nameservers`}>{text.nameserverPage.prove}</Link>
      )}
    </Band>
  );
}
