import { useState } from 'react';
import type { InvitationJson } from '../../../src/contract/member-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { describeRole } from './describe-role.ts';
import { reloadPeople, useInvitations } from './use-people.ts';

/** The open ones, whose links nobody has used yet. */
export function InvitationSection() {
  const invitations = useInvitations();
  const [revoked, setRevoked] = useState<InvitationJson>();
  return (
    <Section
      title={text.people.invitations}
      why={invitations.data?.length === 0 ? text.people.noInvitations : undefined}
    >
      <ErrorBand error={invitations.error} onRepeat={() => void invitations.refetch()} />
      {invitations.isPending && <Placeholder />}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <ul className="rows" aria-label={text.people.invitations}>
          {invitations.data.map((invitation) => (
            <li key={invitation.id}>
              <InvitationRow invitation={invitation} onRevoke={() => setRevoked(invitation)} />
            </li>
          ))}
        </ul>
      )}
      {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  );
}

interface InvitationRowProps {
  readonly invitation: InvitationJson;
  readonly onRevoke: () => void;
}

function InvitationRow({ invitation, onRevoke }: InvitationRowProps) {
  const name = nameOf(invitation);
  return (
    <>
      <div className="name">
        <span className="line">
          <strong>{name}</strong>
          {invitation.operator && <span className="tag">{text.user.operator}</span>}
        </span>
        <span>{describeRole(invitation)}</span>
        <span className="muted small numbers">
          {text.people.linkEnds(formatTime(invitation.date_expires))}
        </span>
      </div>
      <Button aria-label={text.people.revokeOf(name)} onClick={onRevoke}>
        {text.people.revoke}
      </Button>
    </>
  );
}

function nameOf({ email }: InvitationJson): string {
  return email ?? text.people.anybody;
}

interface RevokeDialogProps {
  readonly invitation: InvitationJson;
  readonly onClose: () => void;
}

function RevokeDialog({ invitation, onClose }: RevokeDialogProps) {
  return (
    <ActionDialog
      title={text.people.revokeTitle}
      action={text.people.revokeTitle}
      isDanger
      request={{ method: 'DELETE', path: `/invitations/${invitation.id}` }}
      command={`zonewright user revoke-invitation ${invitation.id}`}
      run={() => service.users.revokeInvitation(invitation.id)}
      onDone={async () => {
        await reloadPeople();
        showToast(text.people.revoked);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.people.revokeWhy(nameOf(invitation))}</p>
    </ActionDialog>
  );
}
