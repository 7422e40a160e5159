import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { singleKeys, switchSingleKeys } from '../parts/single-keys.ts';
import { discardDrafts, listDrafts } from '../records/draft-store.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { leaveSession, switchAccount, useSession } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { text } from '../text/en.ts';
import { chooseTheme, theme, type Theme } from './theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

interface UserMenuProps {
  readonly className: string;
  /** Only the name of the user, for narrow screens. */
  readonly isShort?: boolean;
}

export function UserMenu({ className, isShort = false }: UserMenuProps) {
  const { session, account } = useSession();
  const chosenTheme = useStored(theme);
  const hasSingleKeys = useStored(singleKeys);
  const [, navigate] = useLocation();
  const leaving = useSignOut(session.user.id);
  const { user, accounts } = session;
  const own = accounts.map(({ id, name }) => ({
    label: name,
    isChosen: id === account?.id,
    onChoose: () => {
      switchAccount(id);
      navigate('/domains');
    },
  }));
  return (
    <>
      <Menu
        label={`${text.menu}: ${user.name}, ${account?.name ?? ''}`}
        className={className}
        groups={[
          ...(own.length > 1 ? [{ title: text.account.title, entries: own }] : []),
          {
            title: text.theme.title,
            entries: themes.map((name) => ({
              label: text.theme[name],
              isChosen: name === chosenTheme,
              onChoose: () => chooseTheme(name),
            })),
          },
          {
            title: text.singleKeys.title,
            entries: [true, false].map((isOn) => ({
              label: isOn ? text.singleKeys.on : text.singleKeys.off,
              isChosen: isOn === hasSingleKeys,
              onChoose: () => switchSingleKeys(isOn),
            })),
          },
          {
            title: user.email,
            entries: [
              { label: text.user.title, onChoose: () => navigate('/account') },
              { label: text.signIn.out, onChoose: () => void leaving.ask() },
            ],
          },
        ]}
      >
        {isShort ? (
          user.name
        ) : (
          <span>
            <strong>{user.name}</strong>
            <span className="muted small">{account?.name}</span>
          </span>
        )}
      </Menu>
      {leaving.dialog}
    </>
  );
}

/** Signing out asks first if something is staged. */
function useSignOut(userId: string) {
  const [drafts, setDrafts] = useState<number>();
  const out = useMutation({
    meta: { isSignIn: true },
    mutationFn: async (discards: boolean) => {
      if (discards) await discardDrafts(userId);
      await service.session.signOut();
    },
    // A page that begins without a session has nothing of the user left in memory.
    onSuccess: () => {
      queryClient.clear();
      leaveSession();
      location.assign('/sign-in');
    },
    onError: () => setDrafts((count) => count ?? 0),
  });
  const ask = async (): Promise<void> => {
    const { length } = await listDrafts(userId).catch(() => []);
    if (length === 0) out.mutate(false);
    else setDrafts(length);
  };
  const dialog = (
    <Dialog title={text.signIn.out} isOpen={drafts !== undefined} onClose={() => setDrafts(undefined)}>
      {drafts !== undefined && drafts > 0 && <p>{text.signIn.outDrafts(drafts)}</p>}
      <ErrorBand error={out.error} onRepeat={() => out.mutate(false)} />
      <div className="actions">
        <Button onClick={() => setDrafts(undefined)}>{text.cancel}</Button>
        {drafts !== undefined && drafts > 0 && (
          <Button kind="danger" isBusy={out.isPending} onClick={() => out.mutate(true)}>
            {text.signIn.outDiscard}
          </Button>
        )}
        <Button kind="primary" isBusy={out.isPending} onClick={() => out.mutate(false)}>
          {text.signIn.outKeep}
        </Button>
      </div>
    </Dialog>
  );
  return { ask, dialog };
}
