import { Link } from '@tanstack/react-router'
import type { Devices } from '../../../api/gen/schema.ts'
import { useComputers, useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { useDevices } from '../../../api/use-devices.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { ComputerState } from '../../../ui/device-state.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age } from '../../../ui/time.tsx'
import { findOfferedVersion } from '../computer/agent-update.tsx'
import { nameComputer } from '../name-computer.ts'
import { EnrollmentTokens } from './enrollment-tokens.tsx'

/** Offline computers first, then by name. */
const compare = (a: Computer, b: Computer) =>
  Number(a.state === 'online') - Number(b.state === 'online') || a.name.localeCompare(b.name)

export function ComputersPage() {
  const { mode } = useLive()
  const { computers, ...query } = useComputers()
  const { data: devices } = useDevices()
  return (
    <>
      <PageHeader title="Computers">
        <AddButton />
      </PageHeader>
      <Loaded query={query} failure="The computers could not be loaded.">
        {() =>
          computers.length === 0 ? (
            <Empty title={`No computers in ${mode} mode`}>
              Install the agent on a computer with printers, and enrol it with a token.
            </Empty>
          ) : (
            <div className="section-table bg-surface">
              <Table
                label="Computers"
                columns={[
                  { label: 'State', className: 'w-28' },
                  { label: 'Name' },
                  { label: 'Host name', className: 'hidden w-[20%] md:table-cell' },
                  { label: 'System', className: 'hidden w-[18%] lg:table-cell' },
                  { label: 'Agent', className: 'hidden w-28 sm:table-cell' },
                  { label: 'Printers', className: 'w-20' },
                  { label: 'Last contact', className: 'hidden w-28 sm:table-cell' },
                ]}
              >
                {computers.toSorted(compare).map((computer) => (
                  <ComputerRow
                    key={computer.id}
                    computer={computer}
                    name={nameComputer(computer, computers)}
                    printers={devices?.computers.find(({ id }) => id === computer.id)?.printers}
                    offered={devices?.agent ?? null}
                  />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {mode === 'live' && !query.isPending && typeof devices?.usableEnrollments === 'number' && (
        <div className="p-4">
          <EnrollmentTokens usable={devices.usableEnrollments} />
        </div>
      )}
    </>
  )
}

function AddButton() {
  const { mode, isPermitted } = useLive()
  const reason =
    mode === 'test'
      ? 'Test mode has one virtual computer.'
      : isPermitted('createEnrollment')
        ? undefined
        : 'Only owners and admins can add computers.'
  if (reason !== undefined) return <Button disabledReason={reason}>Add a computer</Button>
  return (
    <Link to="/$mode/computers/new" params={{ mode }} className="button button-primary">
      Add a computer
    </Link>
  )
}

interface ComputerRowProps {
  computer: Computer
  /** The name that is unique in the list. */
  name: string
  /** Undefined until it is loaded. */
  printers: number | undefined
  offered: Devices['agent']
}

function ComputerRow({ computer, name, printers, offered }: ComputerRowProps) {
  const { mode } = useLive()
  const { id, hostname, os, osVersion, arch, agentVersion, agentUpdate, state, pausedAt, lastSeenAt } = computer
  const offeredVersion = findOfferedVersion(computer, offered)
  return (
    <tr data-computer={id}>
      <td>
        <ComputerState computer={computer} />
      </td>
      <td>
        <Link
          to="/$mode/computers/$computerId"
          params={{ mode, computerId: id }}
          className="font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        {pausedAt && <span className="text-muted"> (paused)</span>}
      </td>
      <td className="hidden text-muted md:table-cell">{hostname}</td>
      <td className="hidden text-muted lg:table-cell">
        {os} {osVersion} {arch}
      </td>
      <td className="hidden text-muted sm:table-cell">
        {agentVersion}
        {agentUpdate?.failure ? (
          <span className="block text-warn" title={agentUpdate.failure}>
            update failed
          </span>
        ) : (
          offeredVersion && <span className="block">{offeredVersion} available</span>
        )}
      </td>
      <td>{printers}</td>
      <td className="hidden text-muted sm:table-cell">
        {state === 'online' ? 'connected' : lastSeenAt ? <Age time={lastSeenAt} /> : 'never'}
      </td>
    </tr>
  )
}
