import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { keysQuery } from '../../api/queries.ts'
import { serverNow } from '../../api/server-time.ts'
import type { Scope } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { CheckField, Field, SelectField } from '../../ui/field.tsx'
import { SecretDialog } from '../../ui/secret.tsx'

const DAY_MS = 24 * 60 * 60_000

const SCOPES: [scope: Scope, permits: string][] = [
  ['read', 'Reads jobs, printers, computers, events and usage.'],
  ['print', 'Creates and cancels jobs.'],
  ['admin', 'Does everything: also computers, printer settings, webhooks and documents. Keep such a key on a server.'],
]

/** Days until a key expires. 0: it does not. */
const LIFETIMES = [0, 30, 90, 365]

const toExpiry = (days: number) => (days === 0 ? null : new Date(serverNow() + days * DAY_MS).toISOString())

/** Creates a key and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const live = useLive()
  const { mode, send } = live
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read', 'print'])
  const [lifetimeDays, setLifetimeDays] = useState(0)
  const create = useMutation({
    mutationFn: () =>
      send((api) => api.POST('/account/keys', { body: { name, scopes, expiresAt: toExpiry(lifetimeDays) } })),
    // The key leaves the memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(live).queryKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  if (create.data)
    return (
      <SecretDialog
        title={`The ${mode} key ${create.data.name}`}
        secret={create.data.key}
        copyLabel="Copy key"
        onClose={onClose}
      >
        <CodeBlock
          label="A first request in a shell"
          code={`export PLATEN_KEY=${create.data.key}\ncurl ${location.origin}/v1/whoami -H "Authorization: Bearer $PLATEN_KEY"`}
        />
      </SecretDialog>
    )
  return (
    <Dialog title={`Create a ${mode} key`} onClose={onClose} keepsInput>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Name"
          required
          autoComplete="off"
          hint="The program that uses it: “Shop”, “Till 7”."
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">Scopes</legend>
          {SCOPES.map(([scope, permits]) => (
            <CheckField
              key={scope}
              label={scope}
              hint={permits}
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
          ))}
        </fieldset>
        <SelectField
          label="Expires"
          value={lifetimeDays}
          onChange={({ target }) => setLifetimeDays(Number(target.value))}
        >
          {LIFETIMES.map((days) => (
            <option key={days} value={days}>
              {days === 0 ? 'never' : `in ${days} days`}
            </option>
          ))}
        </SelectField>
        {create.isError && <ErrorPanel title="The key was not created." error={create.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" disabled={create.isPending || scopes.length === 0}>
            Create key
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
