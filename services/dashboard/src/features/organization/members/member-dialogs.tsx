import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { membersQuery } from '../../../api/queries.ts'
import { announce } from '../../../ui/announce.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CheckField } from '../../../ui/field.tsx'

interface MemberDialogProps {
  member: Member
  onClose(): void
}

export function RemoveDialog({ member: { userId: id, email }, onClose }: MemberDialogProps) {
  const live = useLive()
  const queryClient = useQueryClient()
  const [revokesKeys, setRevokesKeys] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      live.send((api) => api.POST('/account/members/{id}/remove', { params: { path: { id } }, body: { revokesKeys } })),
    onSuccess() {
      announce(`Removed ${email}`)
      void queryClient.invalidateQueries({ queryKey: membersQuery(live).queryKey })
      onClose()
    },
  })
  return (
    <Confirm title={`Remove ${email}?`} action="Remove member" mutation={remove} onClose={onClose}>
      <p>The access ends within 5 seconds.</p>
      <CheckField
        label="Revoke the API keys that this member created"
        hint="In both modes. Programs that use them are refused. Without it the keys stay valid."
        checked={revokesKeys}
        onChange={({ target }) => setRevokesKeys(target.checked)}
      />
    </Confirm>
  )
}

export function LeaveDialog({ onClose }: { onClose(): void }) {
  const { organization, send } = useLive()
  const leave = useMutation({
    mutationFn: () => send((api) => api.DELETE('/account/membership')),
    // A new page, so that nothing of the organization stays in memory.
    onSuccess: () => location.assign('/app/'),
  })
  return (
    <Confirm title={`Leave ${organization.name}?`} action="Leave" mutation={leave} onClose={onClose}>
      <p>You lose the access within 5 seconds. API keys that you created stay valid. An owner can invite you again.</p>
    </Confirm>
  )
}

export function RequireSignInDialog({ member: { userId: id, email }, onClose }: MemberDialogProps) {
  const { send } = useLive()
  const require = useMutation({
    mutationFn: () => send((api) => api.POST('/account/members/{id}/require-sign-in', { params: { path: { id } } })),
    onSuccess() {
      announce(`${email} must sign in again`)
      onClose()
    },
  })
  return (
    <Confirm title={`Require a new sign-in of ${email}?`} action="Require sign-in" mutation={require} onClose={onClose}>
      <p>Present sessions of this member are refused for this organization within 5 seconds.</p>
    </Confirm>
  )
}
