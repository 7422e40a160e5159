import { useLocation } from 'wouter';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { checkSession, leaveSession, useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { reloadPeople } from './use-people.ts';

interface RemoveMemberDialogProps {
  readonly member: { readonly id: string; readonly name: string; readonly email: string };
  readonly onClose: () => void;
}

/** Removes another user from the account, or the user itself. */
export function RemoveMemberDialog({ member: { id, name, email }, onClose }: RemoveMemberDialogProps) {
  const { session, account } = useSession();
  const [, navigate] = useLocation();
  const isSelf = session.user.id === id;
  const accountName = account?.name ?? '';
  const leave = async (): Promise<void> => {
    // A user without another account is gone, and its session with it.
    if (session.accounts.length === 1) {
      queryClient.clear();
      leaveSession();
      location.assign('/sign-in');
      return;
    }
    await checkSession();
    navigate('/domains');
  };
  return (
    <ActionDialog
      title={isSelf ? text.people.leaveTitle(accountName) : text.people.removeTitle(name)}
      action={isSelf ? text.people.leave : text.people.remove}
      isDanger
      request={{ method: 'DELETE', path: `/users/${id}` }}
      command={`zonewright user remove ${email}`}
      run={() => service.users.remove(id)}
      onDone={async () => {
        if (isSelf) return leave();
        await reloadPeople();
        showToast(text.people.removed(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{isSelf ? text.people.leaveWhy : text.people.removeWhy(email)}</p>
    </ActionDialog>
  );
}
