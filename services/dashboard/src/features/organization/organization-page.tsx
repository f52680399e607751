import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Organization, Session } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { organizationQuery } from '../../api/queries.ts'
import { sessionQuery } from '../../api/session.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableId } from '../../ui/copyable-id.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Clock } from '../../ui/time.tsx'

export function OrganizationPage() {
  const query = useQuery(organizationQuery(useLive()))
  return (
    <>
      <SettingsHeader title="Organization" />
      <div className="max-w-2xl p-4">
        <Loaded query={query} failure="The organization could not be loaded.">
          {(loaded) => <OrganizationForm key={`${loaded.name} ${loaded.retainsDocuments}`} organization={loaded} />}
        </Loaded>
      </div>
    </>
  )
}

const renameIn = (session: Session, { id, name }: Organization): Session => ({
  ...session,
  organizations: session.organizations.map((one) => (one.id === id ? { ...one, name } : one)),
})

function OrganizationForm({ organization: { id, name, retainsDocuments, createdAt } }: { organization: Organization }) {
  const live = useLive()
  const { isPermitted, send } = live
  const queryClient = useQueryClient()
  const [text, setText] = useState(name)
  const [retains, setRetains] = useState(retainsDocuments)
  const isOwner = isPermitted('updateOrganization')
  const change = useMutation({
    mutationFn: () =>
      send((api) => api.PATCH('/account/organization', { body: { name: text, retainsDocuments: retains } })),
    onSuccess(changed) {
      queryClient.setQueryData(organizationQuery(live).queryKey, changed)
      // Other answers have the new name some seconds later.
      queryClient.setQueryData(sessionQuery.queryKey, (session) => session && renameIn(session, changed))
      announce(`The organization ${changed.name} was changed`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Section title="Organization">
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Name"
          required
          disabled={!isOwner}
          hint={isOwner ? undefined : 'Only owners can change the organization.'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <SelectField
          label="Documents"
          disabled={!isOwner}
          hint="The default of new jobs. A request can choose otherwise."
          value={retains ? 'retain' : 'delete'}
          onChange={({ target }) => setRetains(target.value === 'retain')}
        >
          <option value="retain">Store for reprints, for 7 days by default</option>
          <option value="delete">Delete as soon as the job has ended</option>
        </SelectField>
        <Facts>
          <Fact name="Id">
            <CopyableId id={id} />
          </Fact>
          <Fact name="Created">
            <Clock time={createdAt} />
          </Fact>
        </Facts>
        {change.isError && <ErrorPanel title="The organization was not changed." error={change.error} />}
        {isOwner && (
          <div>
            <Button
              variant="primary"
              type="submit"
              disabled={(text === name && retains === retainsDocuments) || change.isPending}
            >
              Save
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}
