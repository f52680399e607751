import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Organization, Session } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { sessionQuery } from '../../api/session.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableId } from '../../ui/copyable-id.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Clock } from '../../ui/time.tsx'

export function OrganizationPage() {
  const { organization, send } = useLive()
  const query = useQuery({
    queryKey: ['organization', organization.id],
    queryFn: ({ signal }) => send((api) => api.GET('/account/organization'), signal),
  })
  return (
    <>
      <SettingsHeader title="Organization" />
      <div className="max-w-2xl p-4">
        <Loaded query={query} failure="The organization could not be loaded.">
          {(loaded) => <OrganizationForm key={loaded.name} organization={loaded} />}
        </Loaded>
      </div>
    </>
  )
}

const renameIn = (session: Session, { id, name }: Organization): Session => ({
  ...session,
  organizations: session.organizations.map((one) => (one.id === id ? { ...one, name } : one)),
})

function OrganizationForm({ organization: { id, name, createdAt } }: { organization: Organization }) {
  const { isPermitted, send } = useLive()
  const queryClient = useQueryClient()
  const [text, setText] = useState(name)
  const isOwner = isPermitted('updateOrganization')
  const rename = useMutation({
    mutationFn: () => send((api) => api.PATCH('/account/organization', { body: { name: text } })),
    onSuccess(changed) {
      queryClient.setQueryData(['organization', id], changed)
      // Other answers have the new name some seconds later.
      queryClient.setQueryData(sessionQuery.queryKey, (session) => session && renameIn(session, changed))
      announce(`The organization is now called ${changed.name}`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Section title="Organization">
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Name"
          required
          disabled={!isOwner}
          hint={isOwner ? undefined : 'Only owners can change the name.'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Facts>
          <Fact name="Id">
            <CopyableId id={id} />
          </Fact>
          <Fact name="Created">
            <Clock time={createdAt} />
          </Fact>
        </Facts>
        {rename.isError && <ErrorPanel title="The name was not changed." error={rename.error} />}
        {isOwner && (
          <div>
            <Button variant="primary" type="submit" disabled={text === name || rename.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}
