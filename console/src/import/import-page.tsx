import '../style/grid.css';
import '../style/domain-pages.css';
import { useEffect, useRef } from 'react';
import { PresignedBand } from '../dnssec/presigned-band.tsx';
import { useIsPresigned } from '../dnssec/use-signing.ts';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { useTitle } from '../parts/use-title.ts';
import { AppliedChanges } from '../records/applied-changes.tsx';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { ExportSection } from './export-section.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ImportProblems } from './import-problems.tsx';
import { emptySource, findLine } from './import-source.ts';
import { SourceField } from './source-field.tsx';
import { useImport } from './use-import.ts';
import { useSource } from './use-source.ts';
import { WayField } from './way-field.tsx';

const words = text.import;

/** A zone file is read, compared with what is there, and imported. @param props.domain with A-labels */
export function ImportPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.title}: ${toUnicode(domain)}`);
  const { source, change, failure } = useSource(domain);
  const area = useRef<HTMLTextAreaElement>(null);
  const mayEdit = useMayEdit(domain);
  const isPresigned = useIsPresigned(domain);
  const { plan, run } = useImport(domain);
  // A plan is about the very text and way that it was made for.
  const isOfSource = plan.variables === source;
  useEffect(() => {
    if (isPresigned && source.way !== 'presigned') change({ way: 'presigned' });
  }, [isPresigned, source, change]);
  const unable = !mayEdit ? text.rights.viewer : source.text.trim() === '' ? words.noText : undefined;
  const goToLine = (line: number): void => {
    const { start, end } = findLine(source.text, line);
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  };
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        {!mayEdit && <Band title={text.rights.viewer} />}
        {isPresigned && <PresignedBand domain={domain} />}
        <ErrorBand error={failure} />
      </div>
      {run.isSuccess ? (
        <AppliedChanges
          domain={domain}
          applied={run.data}
          onUndo={undefined}
          title={run.variables.source.way === 'presigned' ? words.served : undefined}
        />
      ) : (
        <div className="page wide">
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (unable === undefined && !plan.isPending) plan.mutate(source);
            }}
          >
            <h2>{words.title}</h2>
            <SourceField ref={area} source={source} onChange={change} />
            <WayField source={source} onChange={change} isPresigned={isPresigned} />
            <div className="line">
              <Button
                kind={isOfSource && plan.isSuccess ? 'plain' : 'primary'}
                type="submit"
                isBusy={plan.isPending}
                unable={unable}
              >
                {words.check}
              </Button>
            </div>
          </form>
          {isOfSource && (
            <ImportProblems
              error={plan.error}
              source={source}
              onRepeat={() => plan.mutate(source)}
              onLine={source.fileName === undefined ? goToLine : undefined}
            />
          )}
          {isOfSource && plan.data !== undefined && (
            <ImportPlan
              domain={domain}
              source={source}
              plan={plan.data.plan}
              run={run}
              onImport={(note) => run.mutate({ source, note }, { onSuccess: () => change(emptySource) })}
            />
          )}
          <ExportSection domain={domain} />
        </div>
      )}
    </>
  );
}
