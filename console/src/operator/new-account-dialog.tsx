import { useState } from 'react';
import type { OpenedAccountJson } from '../../../src/contract/response-shapes.ts';
import { TextField } from '../parts/field.tsx';
import { LinkDialog } from '../people/link-dialog.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { reloadAccounts } from './use-accounts.ts';

/** Makes an account and the link for its first owner, which is shown once. */
export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [made, setMade] = useState<OpenedAccountJson>();
  if (made !== undefined)
    return (
      <LinkDialog
        title={text.accounts.made(made.account.name)}
        why={text.people.linkWhy(made.invitation.email)}
        link={made.invitation.link}
        dateExpires={made.invitation.date_expires}
        onClose={onClose}
      />
    );
  const address = email.trim();
  const owner = ownerEmail.trim() === '' ? address : ownerEmail.trim();
  const body = { name: name.trim(), email: address, owner };
  return (
    <ActionDialog
      title={text.accounts.createTitle}
      action={text.accounts.createAction}
      unable={body.name === '' || address === '' ? text.accounts.incomplete : undefined}
      request={{ method: 'POST', path: '/accounts', body }}
      command={`zonewright account create ${quote(body.name)} --email ${quote(address)} --invite ${quote(owner)}`}
      run={() => service.accounts.open(body)}
      onDone={async (opened) => {
        await reloadAccounts();
        setMade(opened);
      }}
      onClose={onClose}
    >
      <TextField label={text.accounts.name} hint={text.accounts.nameHint} value={name} onValue={setName} />
      <TextField
        label={text.accounts.email}
        hint={text.accounts.emailHint}
        type="email"
        value={email}
        onValue={setEmail}
      />
      <TextField
        label={text.accounts.owner}
        hint={text.accounts.ownerHint}
        type="email"
        value={ownerEmail}
        onValue={setOwnerEmail}
      />
    </ActionDialog>
  );
}
