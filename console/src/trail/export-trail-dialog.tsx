import type { TrailOptions } from '../../../src/client/trail-client.ts';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { saveText } from '../parts/save-text.ts';
import { commandOf, queryOf } from './trail-filter.ts';

interface ExportTrailDialogProps {
  readonly options: TrailOptions;
  readonly onClose: () => void;
}

/** Saves what the filter shows, all pages of it. */
export function ExportTrailDialog({ options, onClose }: ExportTrailDialogProps) {
  return (
    <ActionDialog
      title={text.trail.export}
      action={text.trail.save}
      request={{ method: 'GET', path: `/trail/export${queryOf(options)}` }}
      command={`${commandOf(options)} --json-lines`}
      run={() => service.trail.export(options)}
      onDone={(lines) => {
        saveText(lines, 'application/x-ndjson', 'zonewright-trail.ndjson');
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.trail.exportWhy}</p>
    </ActionDialog>
  );
}
