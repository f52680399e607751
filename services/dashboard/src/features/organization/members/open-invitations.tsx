import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useLive } from '../../../api/live.tsx'
import { invitationsQuery } from '../../../api/queries.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import { Clock } from '../../../ui/time.tsx'

/** For owners: invitations without an answer. */
export function OpenInvitations() {
  const live = useLive()
  const queryClient = useQueryClient()
  const invitations = invitationsQuery(live)
  const query = useQuery(invitations)
  const withdraw = useMutation({
    mutationFn: (id: string) =>
      live.send((api) => api.DELETE('/account/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => announce('Withdrew the invitation'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitations.queryKey }),
  })
  if (query.data?.data.length === 0) return null
  return (
    <Section title="Open invitations" isFlush>
      {withdraw.isError && <ErrorPanel title="The invitation was not withdrawn." error={withdraw.error} />}
      <Loaded query={query} failure="The invitations could not be loaded.">
        {({ data }) => (
          <Table
            label="Open invitations"
            columns={[
              { label: 'Email' },
              { label: 'Role', className: 'w-20 sm:w-24' },
              { label: 'Invited by', className: 'hidden w-[26%] md:table-cell' },
              { label: 'Until', className: 'hidden w-32 sm:table-cell' },
              { label: 'Action', className: 'w-28', isHidden: true },
            ]}
          >
            {data.map(({ id, email, role, invitedBy, expiresAt }) => (
              <tr key={id} data-invited={email}>
                <td title={email} className="max-sm:py-1.5 max-sm:whitespace-normal">
                  {email}
                  <RowDetails
                    parts={[
                      <Fragment key="until">
                        until <Clock time={expiresAt} />
                      </Fragment>,
                    ]}
                  />
                </td>
                <td>{role}</td>
                <td className="hidden text-muted md:table-cell" title={invitedBy}>
                  {invitedBy}
                </td>
                <td className="hidden text-muted sm:table-cell">
                  <Clock time={expiresAt} />
                </td>
                <td>
                  <Button
                    className="min-h-6.5"
                    aria-label={`Withdraw the invitation of ${email}`}
                    disabled={withdraw.isPending}
                    onClick={() => withdraw.mutate(id)}
                  >
                    Withdraw
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Section>
  )
}
