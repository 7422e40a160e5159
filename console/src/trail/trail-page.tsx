import { useState } from 'react';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useRole, useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { ExportTrailDialog } from './export-trail-dialog.tsx';
import { optionsOf } from './trail-filter.ts';
import { TrailList } from './trail-list.tsx';
import { TrailTools } from './trail-tools.tsx';
import { useTrailFilter } from './use-trail-filter.ts';

/** Shows owners the trail of their account. */
export function TrailPage() {
  const isOwner = useRole() === 'owner';
  return (
    <Trail title={text.trail.title} account={undefined} hidden={isOwner ? undefined : text.trail.hidden} />
  );
}

/** Shows operators the trail of all accounts. */
export function OperatorTrailPage() {
  const { operator } = useSession().session.user;
  return (
    <Trail
      title={text.trail.allTitle}
      account="all"
      hidden={operator ? undefined : text.trail.operatorsOnly}
    />
  );
}

interface TrailProps {
  readonly title: string;
  readonly account: string | undefined;
  /** Why the user sees nothing of it. */
  readonly hidden: string | undefined;
}

function Trail({ title, account, hidden }: TrailProps) {
  useTitle(title);
  const { filter, setFilter } = useTrailFilter();
  const [isExporting, setExporting] = useState(false);
  const options = optionsOf(filter, account);
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        <Button unable={hidden} onClick={() => setExporting(true)}>
          {text.trail.export}
        </Button>
      </div>
      {hidden !== undefined ? (
        <Band title={hidden} />
      ) : (
        <>
          <TrailTools filter={filter} onFilter={setFilter} />
          <TrailList options={options} onFilter={(change) => setFilter({ ...filter, ...change })} />
        </>
      )}
      {isExporting && <ExportTrailDialog options={options} onClose={() => setExporting(false)} />}
    </>
  );
}
