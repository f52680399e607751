import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../api/client.ts'
import type { Invitation } from '../api/gen/schema.ts'
import { ownInvitationsQuery } from '../api/queries.ts'
import { announce } from '../ui/announce.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorPanel } from '../ui/error-panel.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Clock } from '../ui/time.tsx'

/** The open invitations of the user, who can be without an organization. */
export function OwnInvitations() {
  const query = useQuery(ownInvitationsQuery)
  return (
    <Loaded query={query} failure="The invitations could not be loaded.">
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-sm text-muted" data-empty>
            You have no open invitations.
          </p>
        ) : (
          <ul className="flex flex-col gap-4">
            {data.map((invitation) => (
              <InvitationItem key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function InvitationItem({ invitation: { id, organization, role, invitedBy, expiresAt } }: { invitation: Invitation }) {
  const queryClient = useQueryClient()
  const params = { path: { id } }
  const accept = useMutation({
    mutationFn: () => send({}, (api) => api.POST('/account/session/invitations/{id}/accept', { params })),
    // A new page, so that the session is loaded with the organization.
    onSuccess: (joined) => location.assign(`/app/?org=${joined.id}`),
  })
  const decline = useMutation({
    mutationFn: () => send({}, (api) => api.DELETE('/account/session/invitations/{id}', { params })),
    onSuccess: () => announce(`Declined the invitation to ${organization.name}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownInvitationsQuery.queryKey }),
  })
  const isBusy = accept.isPending || decline.isPending
  return (
    <li className="flex flex-col gap-2" data-invitation={id}>
      <p className="text-sm">
        <strong className="break-words">{organization.name}</strong> as {role}, invited by {invitedBy}. Open until{' '}
        <Clock time={expiresAt} />.
      </p>
      <div className="flex gap-2">
        <Button
          variant="primary"
          aria-label={`Accept the invitation to ${organization.name}`}
          disabled={isBusy}
          onClick={() => accept.mutate()}
        >
          Accept
        </Button>
        <Button
          aria-label={`Decline the invitation to ${organization.name}`}
          disabled={isBusy}
          onClick={() => decline.mutate()}
        >
          Decline
        </Button>
      </div>
      {accept.isError && <ErrorPanel title="The invitation was not accepted." error={accept.error} />}
      {decline.isError && <ErrorPanel title="The invitation was not declined." error={decline.error} />}
    </li>
  )
}
