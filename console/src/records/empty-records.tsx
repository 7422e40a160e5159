import { Link } from 'wouter';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import type { EditorTarget } from './record-editor.tsx';
import { newDraftKey } from './use-draft.ts';

interface EmptyRecordsProps {
  readonly domain: string;
  /** Absent: the user may not. */
  readonly onAdd: ((target: EditorTarget) => void) | undefined;
}

/** The usual first records, ready to be filled in. */
export function EmptyRecords({ domain, onAdd }: EmptyRecordsProps) {
  const add = (type: string, data: string) => (): void =>
    onAdd?.({
      key: newDraftKey(),
      record: undefined,
      value: { type, name: '', data, ttl: 3600 },
      column: 'data',
      top: undefined,
    });
  return (
    <div className="empty">
      <h2>{text.records.emptyTitle}</h2>
      {onAdd !== undefined && (
        <>
          <p className="muted">{text.records.emptyWhy}</p>
          <div className="line">
            <Button onClick={add('A', '')}>{text.records.website}</Button>
            <Button onClick={add('MX', `10 mail.${domain}`)}>{text.records.mail}</Button>
            <Link className="button" href={`/d/${encodeURIComponent(domain)}/import`}>
              {text.records.importFile}
            </Link>
          </div>
        </>
      )}
    </div>
  );
}
