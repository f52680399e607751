import type { Computer } from '../../api/resources.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { type System, WAYS, type Way } from '../add-computer/commands.ts'
import { useAgentPackages } from '../add-computer/use-agent-packages.ts'

/** By the name of the operating system that agents report. */
const SYSTEMS: Record<string, System> = { linux: 'Linux', macos: 'macOS', darwin: 'macOS', windows: 'Windows' }

/** @returns the version that the installation offers, if it is another one than that of the agent. */
export function useOfferedVersion({ os, agentVersion }: Computer): string | undefined {
  const { data } = useAgentPackages()
  const system = SYSTEMS[os.toLowerCase()]
  if (!data?.version || data.version === agentVersion || !system) return undefined
  const { platform }: Way = WAYS[system]
  return data.packages.some((one) => one.platform === platform) ? data.version : undefined
}

/** Why the newest update has failed, and the command that installs the offered version. */
export function AgentUpdate({ computer }: { computer: Computer }) {
  const { agentUpdate } = computer
  const version = useOfferedVersion(computer)
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

function Offer({ computer: { os, agentUpdate }, version }: { computer: Computer; version: string }) {
  const system = SYSTEMS[os.toLowerCase()] ?? 'Linux'
  const way: Way = WAYS[system]
  const isTried = agentUpdate?.failedVersion === version
  return (
    <div className="mt-3 flex flex-col gap-2 text-sm">
      {agentUpdate?.automatic && !isTried ? (
        <p>
          Update available: version {version}. The agent installs it within ten minutes after it has connected. Jobs
          survive the restart of the agent.
        </p>
      ) : (
        <>
          <p>
            Update available: version {version}. Run this on the computer {way.where}
            {!agentUpdate && ', and answer the question for a token with Enter'}. Jobs survive the restart of the agent.
          </p>
          <CodeBlock label="Command" code={agentUpdate ? 'sudo platen-agent update' : way.command('', version)} />
        </>
      )}
    </div>
  )
}
