import { DESTINATION_LIMITS, PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Destination } from '../../api/gen/schema.ts'
import { useComputers, usePrinters } from '../../api/live.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogButtons } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { PrinterOptions } from '../devices/printer-options.tsx'

/** What a request can set, except `enabled`. Printers are ids. */
export interface DestinationFields {
  name: string
  printers: string[]
  policy: Destination['policy']
  standbyAfter: number
  expireAfter: number | null
}

export const NEW_DESTINATION: DestinationFields = {
  name: '',
  printers: [],
  policy: 'first',
  standbyAfter: DESTINATION_LIMITS.standbyAfterSeconds.default,
  expireAfter: null,
}

interface DestinationFormProps {
  initial: DestinationFields
  /** Names of printers that are removed, by id. */
  removed?: ReadonlyMap<string, string>
  action: string
  failure: string
  mutation: { mutate(fields: DestinationFields): void; isPending: boolean; error: Error | null }
  onClose(): void
}

/** The fields of a destination, for its creation and for changes. */
export function DestinationForm({ initial, removed, action, failure, mutation, onClose }: DestinationFormProps) {
  const [fields, setFields] = useState(initial)
  const { name, printers, policy, standbyAfter, expireAfter } = fields
  const set = (changes: Partial<DestinationFields>) => setFields({ ...fields, ...changes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutation.mutate(fields)
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        label="Name"
        required
        maxLength={DESTINATION_LIMITS.nameLengthMax}
        placeholder="kitchen"
        hint="Programs print to this name."
        value={name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <PrinterOrder printers={printers} removed={removed} onChange={(next) => set({ printers: next })} />
      <SelectField
        label="Who prints the next job"
        value={policy}
        onChange={({ target }) => set({ policy: target.value as DestinationFields['policy'] })}
      >
        <option value="first">The first printer that is available</option>
        <option value="any">Any printer that is available</option>
      </SelectField>
      {policy === 'first' && (
        <Field
          label="Seconds until the next printer takes over"
          type="number"
          required
          min={DESTINATION_LIMITS.standbyAfterSeconds.min}
          max={DESTINATION_LIMITS.standbyAfterSeconds.max}
          hint="For this long, each printer before it must be unavailable."
          value={standbyAfter}
          onChange={({ target }) => set({ standbyAfter: Number(target.value) })}
        />
      )}
      <Field
        label="Seconds until a job expires"
        type="number"
        min={PRINT_JOB_LIMITS.expireAfterSeconds.min}
        max={PRINT_JOB_LIMITS.expireAfterSeconds.max}
        placeholder={String(PRINT_JOB_LIMITS.expireAfterSeconds.default)}
        hint="For jobs that do not say it themselves, so that no old tickets are printed in the morning."
        value={expireAfter ?? ''}
        onChange={({ target }) => set({ expireAfter: target.value === '' ? null : Number(target.value) })}
      />
      {mutation.error && <ErrorPanel title={failure} error={mutation.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" disabled={mutation.isPending || printers.length === 0}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface PrinterOrderProps {
  /** Ids. */
  printers: string[]
  removed: ReadonlyMap<string, string> | undefined
  onChange(printers: string[]): void
}

function PrinterOrder({ printers, removed, onChange }: PrinterOrderProps) {
  const { printers: all } = usePrinters()
  useComputers()
  const others = all.filter(({ id }) => !printers.includes(id))
  const findName = (id: string) =>
    all.find((one) => one.id === id)?.displayName ?? removed?.get(id) ?? 'removed printer'
  const exchange = (at: number, other: number) => {
    const next = [...printers]
    ;[next[at], next[other]] = [next[other] ?? '', next[at] ?? '']
    onChange(next)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Printers, in their order</legend>
      {printers.length > 0 && (
        <ol className="flex flex-col divide-y rounded-md border text-sm">
          {printers.map((id, at) => (
            <li key={id} className="flex items-center gap-2 px-3 py-1.5">
              <span className="min-w-0 flex-1 truncate">
                {at + 1}. {findName(id)}
              </span>
              <Button variant="quiet" disabled={at === 0} onClick={() => exchange(at, at - 1)}>
                <ArrowUp size={14} aria-label={`Move ${findName(id)} up`} />
              </Button>
              <Button variant="quiet" disabled={at === printers.length - 1} onClick={() => exchange(at, at + 1)}>
                <ArrowDown size={14} aria-label={`Move ${findName(id)} down`} />
              </Button>
              <Button variant="quiet" onClick={() => onChange(printers.filter((one) => one !== id))}>
                <X size={14} aria-label={`Remove ${findName(id)}`} />
              </Button>
            </li>
          ))}
        </ol>
      )}
      {printers.length < DESTINATION_LIMITS.printersMax && others.length > 0 && (
        <select
          aria-label="Add a printer"
          className="input"
          value=""
          onChange={({ target }) => target.value && onChange([...printers, target.value])}
        >
          <option value="">Add a printer …</option>
          <PrinterOptions printers={others} />
        </select>
      )}
      {all.length === 0 && <p className="text-sm text-muted">The organization has no printers in this mode.</p>}
    </fieldset>
  )
}
