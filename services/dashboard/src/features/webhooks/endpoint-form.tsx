import { URL_LENGTH_MAX, WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { WebhookRequest } from '../../api/gen/schema.ts'
import { useEventTypes } from '../../api/use-event-types.ts'
import { CheckField, Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MarkedText } from '../../ui/marked-text.tsx'

export type EndpointFields = Required<WebhookRequest>

interface EndpointFormProps {
  initial: EndpointFields
  onSubmit(fields: EndpointFields): void
  /** Buttons and failures. */
  children: (fields: EndpointFields) => ReactNode
}

/** The fields of an endpoint, for its creation and for changes. */
export function EndpointForm({ initial, onSubmit, children }: EndpointFormProps) {
  const [fields, setFields] = useState(initial)
  const types = useEventTypes()
  const { url, description, events } = fields
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(fields)
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxLength={URL_LENGTH_MAX}
        placeholder="https://erp.example.com/hooks/platen"
        hint="A public address. In live mode it needs https."
        value={url}
        onChange={({ target }) => setFields({ ...fields, url: target.value })}
      />
      <Field
        label="Description"
        name="description"
        maxLength={WEBHOOK_LIMITS.descriptionLengthMax}
        value={description ?? ''}
        onChange={({ target }) => setFields({ ...fields, description: target.value || null })}
      />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Events that are sent</legend>
        <Loaded query={types} failure="The types of events could not be loaded.">
          {(all) => (
            <div className="grid max-h-72 gap-x-4 gap-y-2 overflow-y-auto rounded-md border p-3 sm:grid-cols-2">
              {all.map(({ type, description: cause }) => (
                <CheckField
                  key={type}
                  label={type}
                  hint={<MarkedText text={cause} />}
                  checked={events.includes(type)}
                  onChange={({ target }) =>
                    setFields({
                      ...fields,
                      events: target.checked ? [...events, type] : events.filter((one) => one !== type),
                    })
                  }
                />
              ))}
            </div>
          )}
        </Loaded>
      </fieldset>
      {children(fields)}
    </form>
  )
}
