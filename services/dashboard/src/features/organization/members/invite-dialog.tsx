import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import { invitationsQuery } from '../../../api/queries.ts'
import type { Role } from '../../../api/session.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Field, SelectField } from '../../../ui/field.tsx'
import { ROLES } from './roles.ts'

export function InviteDialog({ onClose }: { onClose(): void }) {
  const live = useLive()
  const { organization, send } = live
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useMutation({
    mutationFn: () => send((api) => api.POST('/account/invitations', { body: { email, role } })),
    onSuccess() {
      announce(`Invited ${email}`)
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(live).queryKey })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Dialog title={`Invite a member to ${organization.name}`} onClose={onClose} keepsInput>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Email"
          type="email"
          name="email"
          required
          autoComplete="off"
          hint="The person gets an email, signs in with this address, and becomes a member by accepting."
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField
          label="Role"
          value={role}
          onChange={({ target }) => setRole(target.value as Role)}
          hint={ROLES.find(([one]) => one === role)?.[1]}
        >
          {ROLES.map(([one]) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        {invite.isError && <ErrorPanel title="The invitation was not created." error={invite.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" disabled={invite.isPending}>
            Invite
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
