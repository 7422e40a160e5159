import { useState } from 'react';
import type { MemberJson } from '../../../src/contract/member-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatDate } from '../text/format-values.ts';
import { describeRole } from './describe-role.ts';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { useMembers } from './use-people.ts';

/** The height of a row with four lines, in pixels. */
const ROW_HEIGHT = 88;

type Chosen = { readonly kind: 'role' | 'remove'; readonly member: MemberJson };

export function MemberSection() {
  const members = useMembers();
  const [chosen, setChosen] = useState<Chosen>();
  const close = (): void => setChosen(undefined);
  return (
    <Section title={text.people.members}>
      <ErrorBand error={members.error} onRepeat={() => void members.refetch()} />
      {members.isPending && <Placeholder />}
      {members.data && (
        <VirtualList
          rows={members.data}
          keyOf={({ id }) => id}
          rowHeight={ROW_HEIGHT}
          label={text.people.members}
        >
          {(member) => <MemberRow member={member} onChoose={(kind) => setChosen({ kind, member })} />}
        </VirtualList>
      )}
      {chosen?.kind === 'role' && <RoleDialog member={chosen.member} onClose={close} />}
      {chosen?.kind === 'remove' && <RemoveMemberDialog member={chosen.member} onClose={close} />}
    </Section>
  );
}

interface MemberRowProps {
  readonly member: MemberJson;
  readonly onChoose: (kind: 'role' | 'remove') => void;
}

function MemberRow({ member, onChoose }: MemberRowProps) {
  const isSelf = useSession().session.user.id === member.id;
  return (
    <>
      <div className="name">
        <span className="line">
          <strong>{member.name}</strong>
          {isSelf && <span className="tag">{text.people.you}</span>}
          {member.operator && <span className="tag">{text.user.operator}</span>}
        </span>
        <span className="muted">{member.email}</span>
        <span>{describeRole(member)}</span>
        <span className="muted small">
          {text.people.joined(formatDate(member.date_joined))} {meansOf(member)}
        </span>
      </div>
      <Menu
        label={text.people.actions(member.email)}
        className="button quiet icon"
        groups={[
          {
            entries: [
              { label: text.people.changeRole, onChoose: () => onChoose('role') },
              {
                label: isSelf ? text.people.leave : text.people.remove,
                isDanger: true,
                onChoose: () => onChoose('remove'),
              },
            ],
          },
        ]}
      >
        <MoreIcon />
      </Menu>
    </>
  );
}

function meansOf({ password, one_time_codes, passkeys }: MemberJson): string {
  const means = [
    ...(passkeys > 0 ? [text.people.passkeys(passkeys)] : []),
    ...(password ? [one_time_codes ? text.people.passwordAndCodes : text.people.password] : []),
  ];
  return means.length === 0 ? '' : text.people.signsIn(means.join(', '));
}
