import { type System, WAYS, type Way } from '@platen/resources/agent-commands.ts'
import { useMutation } from '@tanstack/react-query'
import type { Devices } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { useAgentPackages } from '../add-computer/use-agent-packages.ts'

/** Systems by the name of the operating system that agents report. */
const SYSTEMS: Record<string, System> = { linux: 'Linux', macos: 'macOS', darwin: 'macOS', windows: 'Windows' }

/** @returns the version that the installation offers, if it is another one than that of the agent. */
export function findOfferedVersion({ os, agentVersion }: Computer, offered: Devices['agent']): string | undefined {
  const system = SYSTEMS[os.toLowerCase()]
  if (!offered || offered.version === agentVersion || !system) return undefined
  const { platform }: Way = WAYS[system]
  return platform && offered.platforms.includes(platform) ? offered.version : undefined
}

/** Why the newest update has failed, and the command that installs the offered version. */
export function AgentUpdate({ computer }: { computer: Computer }) {
  const { agentUpdate } = computer
  const { data } = useAgentPackages()
  const platforms = data?.packages.map(({ platform }) => platform) ?? []
  const version = findOfferedVersion(computer, data?.version ? { version: data.version, platforms } : null)
  return (
    <>
      {agentUpdate?.failure && (
        <p className="mt-3 text-sm text-warn">
          The update {agentUpdate.failedVersion && `to version ${agentUpdate.failedVersion} `}has failed:{' '}
          {agentUpdate.failure}
        </p>
      )}
      {version && <Offer computer={computer} version={version} />}
    </>
  )
}

function Offer({ computer, version }: { computer: Computer; version: string }) {
  const { os, agentUpdate } = computer
  const { data } = useAgentPackages()
  // Agents refuse packages that are not signed.
  const canUpdate = agentUpdate !== null && data?.isSigned
  const system = SYSTEMS[os.toLowerCase()] ?? 'Linux'
  const way: Way = WAYS[system]
  return (
    <div className="mt-3 flex flex-col gap-2 text-sm">
      <p>
        Update available: version {version}. Jobs survive the restart of the agent.{' '}
        {canUpdate && agentUpdate.automatic
          ? agentUpdate.failedVersion !== version &&
            'The agent installs it within ten minutes after its next connection.'
          : `Run this on the computer ${way.where}${canUpdate ? '' : ', and answer the question for a token with Enter'}.`}
      </p>
      {canUpdate && agentUpdate.automatic ? (
        <UpdateButton computer={computer} />
      ) : (
        <CodeBlock
          label="Command"
          code={
            canUpdate
              ? 'sudo platen-agent update'
              : way.command({ server: location.origin, token: '', version, allowsNetworkPrinters: false })
          }
        />
      )}
    </div>
  )
}

/** For agents whose owner permits updates from the service. */
function UpdateButton({ computer: { id, name, state } }: { computer: Computer }) {
  const { send, isPermitted } = useLive()
  const update = useMutation({
    mutationFn: () => send((api) => api.POST('/account/computers/{id}/agent-update', { params: { path: { id } } })),
    onSuccess: () => announce(`${name} downloads the update`),
  })
  const disabledReason = isPermitted('updateAgent')
    ? state === 'offline'
      ? 'The computer is offline.'
      : undefined
    : 'Only owners and admins can update agents.'
  return (
    <>
      <div>
        <Button onClick={() => update.mutate()} disabled={update.isPending} disabledReason={disabledReason}>
          Update now
        </Button>
      </div>
      {update.isSuccess && <p className="text-muted">The computer downloads the update, then its agent restarts.</p>}
      {update.error && <ErrorPanel error={update.error} title="The update has not begun." />}
    </>
  )
}
