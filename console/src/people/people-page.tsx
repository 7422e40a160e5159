import { useState } from 'react';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSession } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { currentVisit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { InvitationSection } from './invitation-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberSection } from './member-section.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { useMayManagePeople } from './use-people.ts';

/** Shows the users of the account with their roles, and the open invitations. */
export function PeoplePage() {
  useTitle(text.people.title);
  const mayManage = useMayManagePeople();
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <div className="head">
        <h1>{text.people.title}</h1>
        <Button
          kind="primary"
          unable={mayManage ? undefined : text.people.ownersOnly}
          onClick={() => setInviting(true)}
        >
          + {text.people.invite}
        </Button>
      </div>
      {mayManage ? (
        <div className="stack">
          <MemberSection />
          <InvitationSection />
        </div>
      ) : (
        <NotAnOwner />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

/** Others may still leave, unless they are operators who only look into the account. */
function NotAnOwner() {
  const { user } = useSession().session;
  const [isLeaving, setLeaving] = useState(false);
  const isVisiting = useStored(currentVisit) !== undefined;
  return (
    <div className="stack narrow">
      <Band title={text.people.hidden} />
      {!isVisiting && (
        <div>
          <Button onClick={() => setLeaving(true)}>{text.people.leave}</Button>
        </div>
      )}
      {isLeaving && <RemoveMemberDialog member={user} onClose={() => setLeaving(false)} />}
    </div>
  );
}
