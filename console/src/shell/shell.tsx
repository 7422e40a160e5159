import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { VisitBand } from '../operator/visit-band.tsx';
import { Band } from '../parts/band.tsx';
import { Menu } from '../parts/menu.tsx';
import { WaitBand } from '../parts/wait-band.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { usePalette } from '../palette/palette-opener.tsx';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { OfflineBand } from './offline-band.tsx';
import { useOperatorPlaces, usePlaces, type Place } from './use-places.ts';
import { useRegionKey } from './use-region-key.ts';
import { UserMenu } from './user-menu.tsx';

/** Rail, bands and page. On a narrow screen, the rail is a bar with menus. Without an account, there is nothing to find. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { account } = useSession();
  const places = usePlaces();
  const operatorPlaces = useOperatorPlaces();
  const palette = usePalette(account !== undefined);
  useRegionKey();
  const [at] = useLocation();
  const hasPage = account !== undefined || at === '/account' || at.startsWith('/operator/');
  return (
    <div className="shell">
      <header className="bar" data-region>
        <Brand />
        <div className="line">
          {account !== undefined && <PaletteButton onOpen={palette.open} isShort />}
          {places.length + operatorPlaces.length > 1 && (
            <PlacesMenu places={places} operatorPlaces={operatorPlaces} />
          )}
          <UserMenu className="button quiet" isShort />
        </div>
      </header>
      <nav className="rail" data-region aria-label={text.places}>
        <Brand />
        {account !== undefined && <PaletteButton onOpen={palette.open} />}
        {places.map((place) => (
          <PlaceLink key={place.href} place={place} />
        ))}
        {operatorPlaces.length > 0 && <span className="title muted small">{text.user.operator}</span>}
        {operatorPlaces.map((place) => (
          <PlaceLink key={place.href} place={place} />
        ))}
        <div className="foot">
          <UserMenu className="button quiet who" />
        </div>
      </nav>
      <main className="main" id="main" data-region tabIndex={-1}>
        <div className="bands">
          <OfflineBand />
          <VisitBand />
          <WaitBand />
          {account === undefined && <Band kind="warning" title={text.account.none} />}
        </div>
        {hasPage && children}
      </main>
      {palette.dialog}
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

interface PlacesMenuProps {
  readonly places: readonly Place[];
  readonly operatorPlaces: readonly Place[];
}

function PlacesMenu({ places, operatorPlaces }: PlacesMenuProps) {
  const [at, navigate] = useLocation();
  const entriesOf = (list: readonly Place[]) =>
    list.map(({ href, label }) => ({ label, isChosen: isAt(at, href), onChoose: () => navigate(href) }));
  return (
    <Menu
      label={text.places}
      className="button quiet"
      groups={[
        { entries: entriesOf(places) },
        ...(operatorPlaces.length > 0
          ? [{ title: text.user.operator, entries: entriesOf(operatorPlaces) }]
          : []),
      ]}
    >
      {text.places}
    </Menu>
  );
}

function PlaceLink({ place: { href, label } }: { readonly place: Place }) {
  const [at] = useLocation();
  return (
    <Link className="place" href={href} aria-current={isAt(at, href) ? 'page' : undefined}>
      {label}
    </Link>
  );
}

function isAt(at: string, href: string): boolean {
  return at.startsWith(href) || (href === '/domains' && at.startsWith('/d/'));
}
