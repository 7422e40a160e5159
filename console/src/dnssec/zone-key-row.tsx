import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import type { ZoneKeyJson } from '../../../src/contract/zone-key-shape.ts';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';

const words = text.dnssec;

export type ZoneKeyAction = 'announce' | 'remove';

interface ZoneKeyRowProps {
  readonly zoneKey: SigningStatusJson['keys'][number];
  /** Undefined: not loaded yet. */
  readonly details: ZoneKeyJson | undefined;
  /** Absent: nothing can be changed. */
  readonly onChoose: ((action: ZoneKeyAction, zoneKey: ZoneKeyJson) => void) | undefined;
}

/** One key of a domain: what it is for, and what can be done with it. */
export function ZoneKeyRow({ zoneKey, details, onChoose }: ZoneKeyRowProps) {
  const { tag, algorithm, state, role, origin, date_created } = zoneKey;
  const algorithms: Partial<Record<string, string>> = words.algorithms;
  return (
    <li>
      <div className="name">
        <span>
          <strong className="numbers">{words.keyTag(tag)}</strong>{' '}
          <span className="muted">
            {algorithm} {algorithms[algorithm]}
          </span>
        </span>
        <span className="small muted">
          {words.roles[role]} {words.origins[origin]} {words.created(formatTime(date_created))}
          {details?.announced === false && details.ds !== null && ` ${words.notAnnounced}`}
        </span>
      </div>
      <span className={state === 'active' ? 'tag' : 'tag warning'}>{words.keyStates[state]}</span>
      {details && (
        <Menu
          label={words.keyActions(tag)}
          className="button quiet icon"
          groups={[{ entries: entriesOf(details, onChoose) }]}
        >
          <MoreIcon />
        </Menu>
      )}
    </li>
  );
}

function entriesOf(details: ZoneKeyJson, onChoose: ZoneKeyRowProps['onChoose']): readonly MenuEntry[] {
  const { dnskey, ds, announced, origin } = details;
  const entries: MenuEntry[] = [{ label: words.copyDnskey, onChoose: () => void copyText(dnskey) }];
  if (ds !== null) entries.push({ label: words.copyDs, onChoose: () => void copyText(ds) });
  if (onChoose === undefined) return entries;
  // No DS record names a key with the flags 256.
  if (ds !== null)
    entries.push({
      label: announced ? words.withdrawKey : words.announceKey,
      onChoose: () => onChoose('announce', details),
    });
  if (origin === 'foreign')
    entries.push({ label: words.removeKey, isDanger: true, onChoose: () => onChoose('remove', details) });
  return entries;
}
