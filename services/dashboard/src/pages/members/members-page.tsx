import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member, Role } from '../../api/account-paths.ts'
import { useLive } from '../../api/live.tsx'
import { isPermitted } from '../../api/session.ts'
import { REFRESH_MS } from '../../api/use-pages.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { Age, Clock } from '../../ui/time.tsx'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { ROLES } from './roles.ts'

export function MembersPage() {
  const { organization, role, send } = useLive()
  const [isAdding, setIsAdding] = useState(false)
  const [removing, setRemoving] = useState<Member>()
  const queryClient = useQueryClient()
  const queryKey = ['members', organization.id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => send((api) => api.GET('/account/members'), signal),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  })
  const change = useMutation({
    mutationFn: ({ userId: id, role }: Pick<Member, 'userId' | 'role'>) =>
      send((api) => api.PATCH('/account/members/{id}', { params: { path: { id } }, body: { role } })),
    onSuccess: ({ email, role }) => announce(`${email} is now ${role}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const isOwner = isPermitted('own', role)
  return (
    <>
      <SettingsHeader title="Members">
        <Button
          variant="primary"
          disabledReason={isOwner ? undefined : 'Only owners can add members.'}
          onClick={() => setIsAdding(true)}
        >
          Add a member
        </Button>
      </SettingsHeader>
      <div className="flex flex-col gap-4 p-4">
        {change.isError && <ErrorPanel title="The role was not changed." error={change.error} />}
        <Section title="Members" isFlush>
          <Loaded query={query} failure="The members could not be loaded.">
            {({ data }) => (
              <Table
                label="Members"
                minWidth="min-w-120"
                columns={[
                  { label: 'Email' },
                  { label: 'Role', className: 'w-32' },
                  { label: 'Added', className: 'hidden w-32 md:table-cell' },
                  { label: 'Last sign-in', className: 'w-28' },
                  { label: 'Action', className: 'w-26', isHidden: true },
                ]}
              >
                {data.map((member) => (
                  <tr key={member.userId} data-member={member.email}>
                    <td title={member.email}>{member.email}</td>
                    <td>
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
                    <td className="text-muted">{member.lastSignInAt ? <Age time={member.lastSignInAt} /> : 'never'}</td>
                    <td>
                      {isOwner && (
                        <Button
                          className="min-h-6.5"
                          aria-label={`Remove ${member.email}`}
                          onClick={() => setRemoving(member)}
                        >
                          Remove
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </Loaded>
        </Section>
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
      {isAdding && <AddMemberDialog onClose={() => setIsAdding(false)} />}
      {removing && <RemoveDialog member={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function RemoveDialog({ member: { userId: id, email }, onClose }: { member: Member; onClose(): void }) {
  const { organization, send } = useLive()
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => send((api) => api.DELETE('/account/members/{id}', { params: { path: { id } } })),
    onSuccess() {
      announce(`Removed ${email}`)
      void queryClient.invalidateQueries({ queryKey: ['members', organization.id] })
      onClose()
    },
  })
  return (
    <Confirm title={`Remove ${email}?`} action="Remove member" mutation={remove} onClose={onClose}>
      <p>
        The access ends within 5 seconds. API keys that this member created stay valid: look at the keys of both modes.
      </p>
    </Confirm>
  )
}
