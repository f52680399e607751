import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AlertRule } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters, useResource } from '../../api/live.tsx'
import { alertRulesQuery } from '../../api/queries.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Table } from '../../ui/table.tsx'
import { ALERT_LABELS, AlertDialog } from './alert-dialog.tsx'

/** The alert rules of the user. E-mails lead here. */
export function AlertsPage() {
  const live = useLive()
  const { mode } = live
  const [edited, setEdited] = useState<AlertRule | 'new'>()
  const query = useQuery(alertRulesQuery(live))
  useComputers()
  usePrinters()
  return (
    <>
      <PageHeader title="Alerts">
        <Button variant="primary" onClick={() => setEdited('new')}>
          Add an alert
        </Button>
      </PageHeader>
      <Loaded query={query} failure="Your alerts could not be loaded.">
        {({ data, email, hasMailServer }) => (
          <>
            <p className="px-4 pt-4 text-sm text-muted">
              Only you see these alerts. Their e-mails go to {email}. To receive none, delete them.
            </p>
            {!hasMailServer && (
              <p role="note" className="px-4 pt-2 text-sm text-warn">
                This installation has no mail server, so no e-mail reaches you. Ask an operator to set PLATEN_SMTP_URL.
              </p>
            )}
            {data.length === 0 ? (
              <Empty title={`You have no alerts in ${mode} mode`}>
                An alert sends you an e-mail when a printer, a computer, a job or a webhook endpoint needs attention.
              </Empty>
            ) : (
              <div className="section-table mt-4 bg-surface">
                <Table
                  label="Alerts"
                  columns={[
                    { label: 'When' },
                    { label: 'Where', className: 'hidden w-[26%] sm:table-cell' },
                    { label: 'After', className: 'hidden w-20 sm:table-cell' },
                    { label: 'Action', className: 'w-44', isHidden: true },
                  ]}
                >
                  {data.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} onChange={() => setEdited(rule)} />
                  ))}
                </Table>
              </div>
            )}
          </>
        )}
      </Loaded>
      {edited && <AlertDialog {...(edited !== 'new' && { rule: edited })} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function RuleRow({ rule, onChange }: { rule: AlertRule; onChange(): void }) {
  const { id, kind, afterMinutes } = rule
  const after = afterMinutes === null ? 'at once' : `${afterMinutes} min`
  const live = useLive()
  const { send } = live
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => send((api) => api.DELETE('/account/alerts/{id}', { params: { path: { id } } })),
    onSuccess() {
      announce('The alert was deleted')
      void queryClient.invalidateQueries({ queryKey: alertRulesQuery(live).queryKey })
    },
  })
  return (
    <tr data-alert={kind}>
      <td className="font-medium whitespace-normal">
        {ALERT_LABELS[kind]}
        <RowDetails
          parts={[<RuleDevice key="device" rule={rule} />, afterMinutes === null ? after : `after ${after}`]}
        />
        {remove.isError && <ErrorPanel title="The alert was not deleted." error={remove.error} />}
      </td>
      <td className="hidden sm:table-cell">
        <RuleDevice rule={rule} />
      </td>
      <td className="hidden text-muted sm:table-cell">{after}</td>
      <td>
        <div className="flex gap-2">
          {afterMinutes !== null && (
            <Button className="min-h-6.5" aria-label={`Change: ${ALERT_LABELS[kind]}`} onClick={onChange}>
              Change
            </Button>
          )}
          <Button
            className="min-h-6.5"
            aria-label={`Delete: ${ALERT_LABELS[kind]}`}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Delete
          </Button>
        </div>
      </td>
    </tr>
  )
}

function RuleDevice({ rule: { computerId, printerId } }: { rule: AlertRule }) {
  const { mode } = useLive()
  const computer = useResource('computer', computerId ?? '')
  const printer = useResource('printer', printerId ?? '')
  if (printerId)
    return (
      <Link to="/$mode/printers/$printerId" params={{ mode, printerId }} className="hover:underline">
        {printer?.displayName ?? 'a printer'}
      </Link>
    )
  if (computerId)
    return (
      <Link to="/$mode/computers/$computerId" params={{ mode, computerId }} className="hover:underline">
        {computer?.name ?? 'a computer'}
      </Link>
    )
  return 'everywhere'
}
