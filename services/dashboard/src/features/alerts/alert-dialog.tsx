import { ALERT_KINDS, ALERT_MINUTES, type AlertKindName } from '@platen/resources/alert-kinds.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AlertRule } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import { alertRulesQuery } from '../../api/queries.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { nameComputer } from '../devices/name-computer.ts'
import { PrinterOptions } from '../devices/printer-options.tsx'

export const ALERT_LABELS: Record<AlertKindName, string> = {
  computer_offline: 'A computer is offline',
  agent_outdated: 'An agent is older than the installation',
  printer_offline: 'A printer is offline',
  printer_attention: 'A printer is out of paper or toner, jammed or open',
  destination_unavailable: 'No printer of a destination is available',
  job_waiting: 'A job is not printed in time',
  job_failed: 'A job fails',
  endpoint_failing: 'A webhook endpoint fails',
  endpoint_disabled: 'A webhook endpoint was disabled because of failures',
}

/** What a rule is about. Without both: all devices, or all webhook endpoints, of the mode. */
export type AlertDevice = Pick<AlertRule, 'computerId' | 'printerId'>

interface AlertDialogProps {
  /** The device of the page. Without it the dialog asks for one. */
  device?: AlertDevice
  /** The rule of which only the duration is changed. */
  rule?: AlertRule
  onClose(): void
}

/** Adds an alert of the user, or changes its duration. */
export function AlertDialog({ device: given, rule, onClose }: AlertDialogProps) {
  const live = useLive()
  const { mode, send, isPermitted } = live
  const queryClient = useQueryClient()
  const [device, setDevice] = useState(given ?? { computerId: null, printerId: null })
  const kinds = getKinds(device, isPermitted('listWebhooks'))
  const [chosen, setChosen] = useState<AlertKindName>(kinds[0] ?? 'job_failed')
  const kind = rule?.kind ?? (kinds.includes(chosen) ? chosen : (kinds[0] ?? chosen))
  const usual = rule?.afterMinutes ?? ALERT_KINDS[kind].minutes
  const [typed, setTyped] = useState<string>()
  const minutes = typed ?? usual
  const afterMinutes = usual === null ? undefined : Number(minutes)
  const save = useMutation({
    mutationFn: () =>
      rule && afterMinutes !== undefined
        ? send((api) =>
            api.PATCH('/account/alerts/{id}', { params: { path: { id: rule.id } }, body: { afterMinutes } }),
          )
        : send((api) => api.POST('/account/alerts', { body: { kind, ...device, afterMinutes } })),
    onSuccess() {
      announce(rule ? 'The alert was changed' : 'The alert was added')
      void queryClient.invalidateQueries({ queryKey: alertRulesQuery(live).queryKey })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={rule ? ALERT_LABELS[kind] : `Send me an e-mail (${mode} mode)`} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {!rule && !given && <DeviceField device={device} onChange={setDevice} />}
        {!rule && (
          <SelectField label="When" value={kind} onChange={({ target }) => setChosen(target.value as AlertKindName)}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {ALERT_LABELS[one]}
              </option>
            ))}
          </SelectField>
        )}
        {usual !== null && (
          <Field
            label="After minutes"
            type="number"
            required
            {...ALERT_MINUTES}
            hint="Shorter problems have no e-mail."
            value={minutes ?? ''}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <p className="text-sm text-muted">You receive one e-mail when the problem begins, and one when it has ended.</p>
        {save.isError && <ErrorPanel title="The alert was not saved." error={save.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" disabled={save.isPending}>
            {rule ? 'Save alert' : 'Add alert'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/**
 * A rule about a printer has no kind of computers, and one about a device none of destinations and webhook endpoints.
 */
const getKinds = ({ printerId, computerId }: AlertDevice, canReadEndpoints: boolean) =>
  (Object.keys(ALERT_KINDS) as AlertKindName[]).filter((kind) => {
    const { device } = ALERT_KINDS[kind]
    if (device === 'endpoint' && !canReadEndpoints) return false
    if (device === 'endpoint' || device === 'destination') return !printerId && !computerId
    return !printerId || device === 'printer'
  })

function DeviceField({ device, onChange }: { device: AlertDevice; onChange(device: AlertDevice): void }) {
  const { computers } = useComputers()
  const { printers } = usePrinters()
  return (
    <SelectField
      label="Where"
      value={device.printerId ?? device.computerId ?? ''}
      onChange={({ target: { value } }) =>
        onChange({
          computerId: computers.some(({ id }) => id === value) ? value : null,
          printerId: printers.some(({ id }) => id === value) ? value : null,
        })
      }
    >
      <option value="">Everywhere</option>
      <optgroup label="A computer with its printers">
        {computers.map((computer) => (
          <option key={computer.id} value={computer.id}>
            {nameComputer(computer, computers)}
          </option>
        ))}
      </optgroup>
      <PrinterOptions printers={printers} />
    </SelectField>
  )
}
