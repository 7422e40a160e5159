import { dirname } from 'node:path';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import { linesOf } from '../../dns/zone-file/read-zone-file.ts';
import type { Input } from '../input/open-input.ts';
import { getZoneName } from '../names/zone-names.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { prepareZoneText, type PreparedText } from '../zone-text/prepare-zone-text.ts';

/** A zone file to import, with the files that it includes. */
export type PreparedInput = Input & Pick<PreparedText, 'places'>;

/** @param file as the user wrote it; `-` is stdin, which includes nothing */
export function prepareText(terminal: Terminal, domain: string, file: string, text: string): PreparedText {
  const place = file === '-' ? undefined : { path: file, folder: dirname(file), origin: getZoneName(domain) };
  const prepared = prepareZoneText(text, place);
  for (const { record, reason } of prepared.skipped) say(terminal, `skipped: ${record}: ${reason}`);
  for (const note of prepared.notes) say(terminal, `note: ${note}`);
  return prepared;
}

/** A text that needs no preparation is not read into memory. */
export function prepareInput(terminal: Terminal, domain: string, file: string, input: Input): PreparedInput {
  if (input.sizeBytes > MAX_ZONE_BODY_BYTES || !needsPreparation(input))
    return { ...input, places: undefined };
  const { text, places } = prepareText(terminal, domain, file, input.text());
  return {
    name: input.name,
    sizeBytes: Buffer.byteLength(text),
    text: () => text,
    lines: () => linesOf(text),
    close() {
      input.close();
    },
    places,
  };
}

function needsPreparation(input: Input): boolean {
  for (const line of input.lines()) if (/^(?:\$INCLUDE|;;\s*Exported:)/i.test(line)) return true;
  return false;
}
