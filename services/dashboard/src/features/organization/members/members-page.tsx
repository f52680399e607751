import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { Member } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { membersQuery } from '../../../api/queries.ts'
import type { Role } from '../../../api/session.ts'
import { SettingsHeader } from '../../../shell/settings-header.tsx'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { FilterSelect } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age, Clock } from '../../../ui/time.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LeaveDialog, RemoveDialog, RequireSignInDialog } from './member-dialogs.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { ROLES } from './roles.ts'

type OpenDialog = { kind: 'invite' } | { kind: 'leave' } | { kind: 'remove' | 'require'; member: Member }

export function MembersPage() {
  const live = useLive()
  const { session, isPermitted, send } = live
  const [dialog, setDialog] = useState<OpenDialog>()
  const queryClient = useQueryClient()
  const members = membersQuery(live)
  const query = useQuery(members)
  const change = useMutation({
    mutationFn: ({ userId: id, role }: Pick<Member, 'userId' | 'role'>) =>
      send((api) => api.PATCH('/account/members/{id}', { params: { path: { id } }, body: { role } })),
    onSuccess: ({ email, role }) => announce(`${email} is now ${role}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: members.queryKey }),
  })
  const isOwner = isPermitted('updateMember')
  return (
    <>
      <SettingsHeader title="Members">
        <Button
          variant="primary"
          disabledReason={isOwner ? undefined : 'Only owners can invite members.'}
          onClick={() => setDialog({ kind: 'invite' })}
        >
          Invite a member
        </Button>
      </SettingsHeader>
      <div className="flex flex-col gap-4 p-4">
        {change.isError && <ErrorPanel title="The role was not changed." error={change.error} />}
        <Section title="Members" isFlush>
          <Loaded query={query} failure="The members could not be loaded.">
            {({ data }) => (
              <Table
                label="Members"
                columns={[
                  { label: 'Email' },
                  { label: 'Role', className: 'w-30 sm:w-32' },
                  { label: 'Added', className: 'hidden w-32 md:table-cell' },
                  { label: 'Last sign-in', className: 'hidden w-28 sm:table-cell' },
                  { label: 'Action', className: 'w-22 sm:w-32', isHidden: true },
                ]}
              >
                {data.map((member) => (
                  <tr key={member.userId} data-member={member.email}>
                    <td title={member.email} className="max-sm:py-1.5 max-sm:whitespace-normal">
                      {member.email}
                      <RowDetails
                        parts={[
                          member.lastSignInAt ? (
                            <Fragment key="sign-in">
                              seen <Age time={member.lastSignInAt} isPast />
                            </Fragment>
                          ) : (
                            'never signed in'
                          ),
                        ]}
                      />
                    </td>
                    <td className="py-1">
                      {isOwner ? (
                        <FilterSelect
                          label={`Role of ${member.email}`}
                          value={
                            change.isPending && change.variables.userId === member.userId
                              ? change.variables.role
                              : member.role
                          }
                          disabled={change.isPending}
                          onChange={({ target }) =>
                            change.mutate({ userId: member.userId, role: target.value as Role })
                          }
                        >
                          {ROLES.map(([one]) => (
                            <option key={one}>{one}</option>
                          ))}
                        </FilterSelect>
                      ) : (
                        member.role
                      )}
                    </td>
                    <td className="hidden text-muted md:table-cell">
                      <Clock time={member.createdAt} />
                    </td>
                    <td className="hidden text-muted sm:table-cell">
                      {member.lastSignInAt ? <Age time={member.lastSignInAt} isPast /> : 'never'}
                    </td>
                    <td>
                      <MemberActions
                        member={member}
                        isSelf={member.userId === session.user.id}
                        isOwner={isOwner}
                        onOpen={setDialog}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </Loaded>
        </Section>
        {isOwner && <OpenInvitations />}
        <Section title="Roles">
          <dl className="flex flex-col gap-2 text-sm">
            {ROLES.map(([one, permits]) => (
              <div key={one} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2">
                <dt className="font-medium">{one}</dt>
                <dd className="text-muted">{permits}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
      {dialog && <MemberDialog dialog={dialog} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function MemberDialog({ dialog, onClose }: { dialog: OpenDialog; onClose(): void }) {
  if (dialog.kind === 'invite') return <InviteDialog onClose={onClose} />
  if (dialog.kind === 'leave') return <LeaveDialog onClose={onClose} />
  const Shown = dialog.kind === 'remove' ? RemoveDialog : RequireSignInDialog
  return <Shown member={dialog.member} onClose={onClose} />
}

interface MemberActionsProps {
  member: Member
  isSelf: boolean
  isOwner: boolean
  onOpen(dialog: OpenDialog): void
}

function MemberActions({ member, isSelf, isOwner, onOpen }: MemberActionsProps) {
  if (isSelf)
    return (
      <Button className="min-h-6.5" onClick={() => onOpen({ kind: 'leave' })}>
        Leave
      </Button>
    )
  if (!isOwner) return null
  return (
    <Menu
      label="Actions"
      isCompact
      className="min-h-6.5"
      aria-label={`Actions for ${member.email}`}
      items={[
        { label: 'Require a new sign-in', onClick: () => onOpen({ kind: 'require', member }) },
        { label: 'Remove', isDangerous: true, onClick: () => onOpen({ kind: 'remove', member }) },
      ]}
    />
  )
}
