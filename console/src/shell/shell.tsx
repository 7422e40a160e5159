import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Band } from '../parts/band.tsx';
import { WaitBand } from '../parts/wait-band.tsx';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { OfflineBand } from './offline-band.tsx';
import { UserMenu } from './user-menu.tsx';

/** Rail, bands and page. On a narrow screen, the rail is a bar. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { account } = useSession();
  const [at] = useLocation();
  const hasPage = account !== undefined || at === '/account';
  return (
    <div className="shell">
      <header className="bar">
        <Brand />
        <UserMenu className="button quiet" isShort />
      </header>
      <nav className="rail" aria-label={text.places}>
        <Brand />
        <Place href="/domains">{text.domains}</Place>
        <div className="foot">
          <UserMenu className="button quiet who" />
        </div>
      </nav>
      <main className="main" id="main">
        <div className="bands">
          <OfflineBand />
          <WaitBand />
          {account === undefined && <Band kind="warning" title={text.account.none} />}
        </div>
        {hasPage && children}
      </main>
    </div>
  );
}

function Brand() {
  return (
    <Link className="brand" href="/domains">
      <img src="/favicon.svg" alt="" />
      {text.product}
    </Link>
  );
}

function Place({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const [at] = useLocation();
  const isHere = at.startsWith(href) || (href === '/domains' && at.startsWith('/d/'));
  return (
    <Link className="place" href={href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  );
}
