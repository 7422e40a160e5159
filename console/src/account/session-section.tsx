import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionJson } from '../../../src/contract/session-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { leaveSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatDistance, formatTime } from '../text/format-values.ts';
import { describeAgent } from './describe-agent.ts';
import { sessionsKey } from './use-factors.ts';

/** Lists the places where the user has signed in, and ends sessions. */
export function SessionSection() {
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: () => service.session.list() });
  const [ended, setEnded] = useState<SessionJson | 'all'>();
  const close = (): void => setEnded(undefined);
  return (
    <Section
      title={text.user.sessions}
      why={text.user.sessionsWhy}
      actions={<Button onClick={() => setEnded('all')}>{text.user.endAll}</Button>}
    >
      <ErrorBand error={sessions.error} onRepeat={() => void sessions.refetch()} />
      {sessions.isPending && <Placeholder />}
      {sessions.data && (
        <ul className="rows" aria-label={text.user.sessions}>
          {sessions.data.map((session) => (
            <li key={session.id}>
              <SessionRow session={session} onEnd={() => setEnded(session)} />
            </li>
          ))}
        </ul>
      )}
      {ended === 'all' && <EndAllDialog onClose={close} />}
      {ended !== undefined && ended !== 'all' && <EndDialog session={ended} onClose={close} />}
    </Section>
  );
}

interface SessionRowProps {
  readonly session: SessionJson;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { address, current, date_created, date_seen } = session;
  const name = nameOf(session);
  return (
    <>
      <div className="name">
        <span className="line">
          <strong>{name}</strong>
          {current && <span className="tag">{text.user.thisSession}</span>}
        </span>
        <span className="muted small numbers">
          {text.user.signedIn(formatTime(date_created))} {text.user.used(formatDistance(date_seen))}
        </span>
        {address !== null && <span className="muted small mono">{address}</span>}
      </div>
      {!current && (
        <Button aria-label={text.user.endOf(name)} onClick={onEnd}>
          {text.user.end}
        </Button>
      )}
    </>
  );
}

function nameOf({ agent }: SessionJson): string {
  if (agent === null) return text.user.unknownAgent;
  const { browser, system } = describeAgent(agent);
  if (browser === undefined) return system ?? agent;
  return system === undefined ? browser : text.user.agent(browser, system);
}

function EndDialog({ session, onClose }: { readonly session: SessionJson; readonly onClose: () => void }) {
  return (
    <ActionDialog
      title={text.user.endTitle(nameOf(session))}
      action={text.user.endAction}
      isDanger
      request={{ method: 'DELETE', path: `/sessions/${session.id}`, by: 'user' }}
      run={() => service.session.end(session.id)}
      onDone={async () => {
        await queryClient.invalidateQueries({ queryKey: sessionsKey });
        showToast(text.user.ended);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.user.endWhy}</p>
    </ActionDialog>
  );
}

function EndAllDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActionDialog
      title={text.user.endAll}
      action={text.user.endAll}
      isDanger
      request={{ method: 'DELETE', path: '/sessions', by: 'user' }}
      run={() => service.session.endAll()}
      // A page that begins without a session has nothing of the user left in memory.
      onDone={() => {
        queryClient.clear();
        leaveSession();
        location.assign('/sign-in');
      }}
      onClose={onClose}
    >
      <p>{text.user.endAllWhy}</p>
    </ActionDialog>
  );
}
