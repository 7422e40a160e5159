import { useState } from 'react';
import type { PasskeyJson } from '../../../src/contract/factor-shape.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { Section } from '../parts/section.tsx';
import { hasPasskeys } from '../sign-in/passkeys.ts';
import { text } from '../text/en.ts';
import { formatDate, formatDistance } from '../text/format-values.ts';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';

type Shown = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: PasskeyJson };

export function PasskeySection({ passkeys }: { readonly passkeys: readonly PasskeyJson[] }) {
  const [shown, setShown] = useState<Shown>();
  const close = (): void => setShown(undefined);
  return (
    <Section
      title={text.user.passkeys}
      why={passkeys.length === 0 ? text.user.passkeysNone : text.user.passkeysWhy}
      actions={
        <Button
          unable={hasPasskeys() ? undefined : text.signIn.passkeyUnavailable}
          onClick={() => setShown({ kind: 'add' })}
        >
          {text.user.addPasskey}
        </Button>
      }
    >
      {passkeys.length > 0 && (
        <ul className="rows" aria-label={text.user.passkeys}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} onChoose={(kind) => setShown({ kind, passkey })} />
            </li>
          ))}
        </ul>
      )}
      {shown?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {shown?.kind === 'rename' && <RenamePasskeyDialog passkey={shown.passkey} onClose={close} />}
      {shown?.kind === 'remove' && <RemovePasskeyDialog passkey={shown.passkey} onClose={close} />}
    </Section>
  );
}

interface PasskeyRowProps {
  readonly passkey: PasskeyJson;
  readonly onChoose: (kind: 'rename' | 'remove') => void;
}

function PasskeyRow({ passkey: { name, date_created, date_used }, onChoose }: PasskeyRowProps) {
  const used = date_used === null ? text.user.neverUsed : text.user.used(formatDistance(date_used));
  return (
    <>
      <div className="name">
        <strong>{name}</strong>
        <span className="muted small">
          {text.user.added(formatDate(date_created))} {used}
        </span>
      </div>
      <Menu
        label={text.user.actions(name)}
        className="button quiet icon"
        groups={[
          {
            entries: [
              { label: text.user.renamePasskey, onChoose: () => onChoose('rename') },
              { label: text.user.removePasskey, isDanger: true, onChoose: () => onChoose('remove') },
            ],
          },
        ]}
      >
        <MoreIcon />
      </Menu>
    </>
  );
}
