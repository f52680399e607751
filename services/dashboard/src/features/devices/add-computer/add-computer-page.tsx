import { type System, WAYS, type Way } from '@platen/resources/agent-commands.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Enrollment } from '../../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../../api/live.tsx'
import { serverNow } from '../../../api/server-time.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Section } from '../../../ui/section.tsx'
import { detectSystem, isLocal, isWithoutTls } from './commands.ts'
import { Install } from './install.tsx'
import { Steps } from './steps.tsx'
import { type AgentPackages, useAgentPackages } from './use-agent-packages.ts'

interface Created {
  token: Enrollment
  /** Milliseconds by the clock of the service. */
  at: number
}

export function AddComputerPage() {
  const { mode, isPermitted, send } = useLive()
  // Their events name the new computer and its printers.
  useComputers()
  usePrinters()
  const packages = useAgentPackages()
  const isClone = isLocal() && packages.data?.installation === 'npm-start'
  const [chosen, setSystem] = useState<System>()
  const system = chosen ?? (isClone ? 'This computer' : detectSystem(navigator.userAgent))
  const create = useMutation({
    mutationFn: async (): Promise<Created> => ({
      token: await send((api) => api.POST('/v1/enrollments', { body: {} })),
      at: serverNow(),
    }),
    gcTime: 0,
  })
  const reason =
    mode === 'test'
      ? 'Test mode has one virtual computer.'
      : isPermitted('createEnrollment')
        ? undefined
        : 'Only owners and admins can add computers.'
  const systems = (Object.keys(WAYS) as System[]).filter((one) => one !== 'This computer' || isClone)
  const isAvailable = canInstall(WAYS[system], packages.data)
  return (
    <>
      <PageHeader title="Add a computer" path={[{ label: 'Computers', to: '/$mode/computers' }]} />
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        {create.isError && <ErrorPanel title="The token was not created." error={create.error} />}
        {packages.isError && <ErrorPanel title="The packages were not listed." error={packages.error} />}
        {/* The systems and the first choice depend on the packages. */}
        {packages.isPending ? (
          <Loading />
        ) : (
          <Section
            title="1. Install the agent"
            actions={
              <Button
                variant={create.data ? 'normal' : 'primary'}
                disabled={create.isPending}
                disabledReason={reason ?? (isAvailable ? undefined : 'There is no package for this system yet.')}
                onClick={() => create.mutate()}
              >
                {create.data ? 'Create another token' : 'Create a token'}
              </Button>
            }
          >
            <div className="flex flex-col gap-4">
              <fieldset className="flex flex-wrap gap-4 text-sm" aria-label="System">
                {systems.map((one) => (
                  <label key={one} className="flex min-h-6 items-center gap-1.5">
                    <input
                      type="radio"
                      name="system"
                      className="size-4"
                      checked={one === system}
                      onChange={() => setSystem(one)}
                    />
                    {one}
                  </label>
                ))}
              </fieldset>
              <Hint system={system} />
              {mode === 'test' && (
                <p className="text-sm">
                  Test mode has one virtual computer, whose printers need no agent.{' '}
                  <Link to="/$mode/print" params={{ mode }} className="link">
                    Print on it
                  </Link>
                  , or{' '}
                  <Link to="/$mode/computers/new" params={{ mode: 'live' }} className="link">
                    add a computer in live mode
                  </Link>
                  .
                </p>
              )}
              {packages.data && (
                <Install system={system} packages={packages.data} isAvailable={isAvailable} created={create.data} />
              )}
              {!create.data && isAvailable && (
                <p className="text-sm text-muted">{reason ?? 'Create a token to see the command.'}</p>
              )}
            </div>
          </Section>
        )}
        {create.data && (
          <Section title="2. Follow the progress">
            <Steps key={create.data.token.id} token={create.data.token} createdAt={create.data.at} system={system} />
          </Section>
        )}
      </div>
    </>
  )
}

/** Whether the installation offers what the way needs. */
const canInstall = ({ platform }: Way, packages: AgentPackages | undefined) =>
  platform === undefined || packages?.packages.some((one) => one.platform === platform) === true

/** Why the address of this page does not work for other computers. */
function Hint({ system }: { system: System }) {
  if (isLocal() && system !== 'This computer')
    return (
      <p className="rounded-md border bg-warn-soft p-3 text-sm">
        <code className="font-mono text-xs">{location.origin}</code> is an address of this computer only, and so is the
        command below. For other computers, the operator makes Platen reachable with <code>PLATEN_HOST=0.0.0.0</code>{' '}
        and a certificate (<code>PLATEN_TLS_CERT_FILE</code>, <code>PLATEN_TLS_KEY_FILE</code>). Then open this page at
        that address.
      </p>
    )
  if (isWithoutTls())
    return (
      <p className="rounded-md border bg-warn-soft p-3 text-sm">
        {location.origin} has no TLS, so agents refuse to enrol on other computers: others could read the token and the
        documents on the network. Ask the operator of this installation for an address with https://.
      </p>
    )
  return null
}
