import { PRINT_JOB_LIMITS, PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { takesFormat } from '@platen/resources/takes-format.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import type { PrinterChanges } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import type { Printer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Curl } from '../../../ui/curl.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { CheckField, Field } from '../../../ui/field.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedChanges } from '../../../ui/unsaved-changes.tsx'
import { CustomPapers } from './custom-papers.tsx'
import { DefaultOptions } from './default-options.tsx'

type Editable = Pick<Printer, keyof PrinterChanges>
type Changes = Partial<Editable>

const { expireAfterSeconds } = PRINT_JOB_LIMITS

const toEditable = ({
  displayName,
  enabled,
  shared,
  remarks,
  defaultOptions,
  customPapers,
  defaultExpireAfter,
}: Printer): Editable => ({
  displayName,
  enabled,
  shared,
  remarks,
  defaultOptions,
  customPapers,
  defaultExpireAfter,
})

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ, so that a save does not undo changes that other users have made meanwhile. */
function findChanges(before: Editable, after: Editable): Changes {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isEqual(value, before[name as keyof Editable])),
  )
}

/** The fields that users can edit. */
export function PrinterForm({ printer }: { printer: Printer }) {
  const { isPermitted, mode, send, resources, session } = useLive()
  const [before, setBefore] = useState(() => toEditable(printer))
  const [values, setValues] = useState(before)
  const current = toEditable(printer)
  const text = JSON.stringify(current)
  const [seen, setSeen] = useState(text)
  const changes = useMemo(() => findChanges(before, values), [before, values])
  // Changes of others appear in the fields that were not edited here.
  if (text !== seen) {
    setSeen(text)
    setBefore(current)
    setValues({ ...current, ...changes })
  }
  const set = <Name extends keyof Editable>(name: Name, value: Editable[Name]) =>
    setValues((all) => ({ ...all, [name]: value }))

  const call = useMemo<Call<Printer>>(
    () => (api) => api.PATCH('/v1/printers/{id}', { params: { path: { id: printer.id } }, body: changes }) as never,
    [printer.id, changes],
  )
  const save = useMutation({
    mutationFn: () => send(call),
    onSuccess(changed) {
      resources.put('printer', changed)
      setBefore(toEditable(changed))
      setValues(toEditable(changed))
      setSeen(JSON.stringify(toEditable(changed)))
      announce(`Saved the ${mode} printer ${changed.displayName}`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const isChanged = Object.keys(changes).length > 0
  const isAdmin = isPermitted('updatePrinter')
  return (
    <Section title="Settings">
      <UnsavedChanges isChanged={isChanged && isAdmin} />
      <form onSubmit={submit}>
        <fieldset disabled={!isAdmin} className="flex min-w-0 flex-col gap-4">
          {!isAdmin && <p className="text-sm text-muted">Only owners and admins can change printers.</p>}
          <Field
            label="Name"
            name="displayName"
            required
            maxLength={PRINTER_LIMITS.displayNameLengthMax}
            value={values.displayName}
            onChange={({ target }) => set('displayName', target.value)}
          />
          <CheckField
            label="Enabled"
            hint="A disabled printer takes no new jobs. Jobs that it has already taken wait."
            checked={values.enabled}
            onChange={({ target }) => set('enabled', target.checked)}
          />
          {session.offers.ipp && (
            <CheckField
              label="Shared"
              hint="Computers with a print access can print on it."
              checked={values.shared}
              onChange={({ target }) => set('shared', target.checked)}
            />
          )}
          <Field
            label="Remarks"
            name="remarks"
            maxLength={PRINTER_LIMITS.remarksLengthMax}
            value={values.remarks ?? ''}
            onChange={({ target }) => set('remarks', target.value === '' ? null : target.value)}
          />
          <Field
            label="Jobs expire after"
            name="defaultExpireAfter"
            type="number"
            min={expireAfterSeconds.min}
            max={expireAfterSeconds.max}
            hint="Seconds that a job without a time of its own waits for the computer. Empty: a day."
            value={values.defaultExpireAfter ?? ''}
            onChange={({ target }) => set('defaultExpireAfter', target.value === '' ? null : target.valueAsNumber)}
          />
          {(!printer.capabilities || takesFormat(printer.capabilities, 'pdf')) && (
            <DefaultOptions
              printer={printer}
              customPapers={values.customPapers}
              options={values.defaultOptions}
              onChange={(options) => set('defaultOptions', options)}
            />
          )}
          <CustomPapers papers={values.customPapers} onChange={(papers) => set('customPapers', papers)} />
          {save.isError && <ErrorPanel title="The printer was not changed." error={save.error} />}
          {isChanged && <Curl label="This change as a request" call={call} />}
          <div className="flex gap-2">
            <Button variant="primary" type="submit" disabled={!isChanged || save.isPending}>
              Save
            </Button>
            {isChanged && <Button onClick={() => setValues(before)}>Discard</Button>}
          </div>
        </fieldset>
      </form>
    </Section>
  )
}
