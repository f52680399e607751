import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PrintAccessKey } from '../../api/gen/schema.ts'
import { useLive, usePrinters } from '../../api/live.tsx'
import { printAccessQuery } from '../../api/queries.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Table } from '../../ui/table.tsx'
import { Age, Clock, LastUse } from '../../ui/time.tsx'
import { PermitOrganization, usePermission } from './permissions.tsx'

export function PrintAccessPage() {
  const live = useLive()
  const { mode } = live
  const isAllowed = usePermission()
  const query = useQuery(printAccessQuery(live))
  const [revoking, setRevoking] = useState<PrintAccessKey>()
  return (
    <>
      <PageHeader title="Print access" />
      {isAllowed === false && (
        <div className="p-4">
          <PermitOrganization />
        </div>
      )}
      <Loaded query={query} failure="The print accesses could not be loaded.">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={`No computer prints in ${mode} mode`}>
              <p className="mb-3">
                Computers and phones print on shared printers without a driver. Open a printer and choose “Add to a
                computer”.
              </p>
              <Link to="/$mode/printers" params={{ mode }} search={{}} className="button button-primary">
                Printers
              </Link>
            </Empty>
          ) : (
            <div className="section-table bg-surface">
              <Table
                label="Print accesses"
                columns={[
                  { label: 'Name' },
                  { label: 'Printers', className: 'hidden w-[26%] sm:table-cell' },
                  { label: 'Member', className: 'hidden w-[24%] md:table-cell' },
                  { label: 'Created', className: 'hidden w-28 lg:table-cell' },
                  { label: 'Last used', className: 'w-24' },
                  { label: 'Action', className: 'w-26', isHidden: true },
                ]}
              >
                {data.map((access) => (
                  <AccessRow key={access.id} access={access} onRevoke={() => setRevoking(access)} />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {revoking && <RevokeDialog access={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

function AccessRow({ access, onRevoke }: { access: PrintAccessKey; onRevoke(): void }) {
  const { id, name, printerIds, user, lastFour, createdAt, lastUsedAt, revokedAt } = access
  const { printers } = usePrinters()
  const names = printerIds?.map((one) => printers.find((printer) => printer.id === one)?.displayName ?? 'removed')
  const shown = names ? names.join(', ') : 'all shared printers'
  return (
    <tr data-access={id} className={revokedAt ? 'text-muted' : ''}>
      <td title={name}>
        <span className="font-medium">{name}</span> <span className="id text-muted">…{lastFour}</span>
        <RowDetails parts={[shown, user?.email]} />
      </td>
      <td className="hidden sm:table-cell" title={shown}>
        {shown}
      </td>
      <td className="hidden text-muted md:table-cell">{user?.email ?? '–'}</td>
      <td className="hidden text-muted lg:table-cell">
        <Clock time={createdAt} />
      </td>
      <td className="text-muted">{lastUsedAt ? <Age time={lastUsedAt} /> : 'never'}</td>
      <td>
        {revokedAt ? (
          'revoked'
        ) : (
          <Button className="min-h-6.5" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

function RevokeDialog({ access: { id, name, lastUsedAt }, onClose }: { access: PrintAccessKey; onClose(): void }) {
  const live = useLive()
  const { send } = live
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => send((api) => api.DELETE('/v1/print-access/{id}', { params: { path: { id } } })),
    onSuccess() {
      announce(`Revoked the print access ${name}`)
      void queryClient.invalidateQueries({ queryKey: printAccessQuery(live).queryKey })
      onClose()
    },
  })
  return (
    <Confirm title={`Revoke the print access ${name}?`} action="Revoke" mutation={revoke} onClose={onClose}>
      <LastUse time={lastUsedAt} />
      <p>The computer can print no more within 5 seconds. Its jobs stay. This cannot be undone.</p>
    </Confirm>
  )
}
