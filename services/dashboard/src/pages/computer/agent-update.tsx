import { CodeBlock } from '../../ui/code-block.tsx'
import { type System, WAYS, type Way } from '../add-computer/commands.ts'
import { useAgentPackages } from '../add-computer/use-agent-packages.ts'

/** By the name of the operating system that agents report. */
const SYSTEMS: Record<string, System> = { linux: 'Linux', macos: 'macOS', darwin: 'macOS', windows: 'Windows' }

/** The command that upgrades the agent, if the installation offers another version. */
export function AgentUpdate({ os, agentVersion }: { os: string; agentVersion: string }) {
  const { data } = useAgentPackages()
  const system = SYSTEMS[os.toLowerCase()]
  if (!data?.version || data.version === agentVersion || !system) return null
  const way: Way = WAYS[system]
  if (!data.packages.some(({ platform }) => platform === way.platform)) return null
  return (
    <div className="mt-3 flex flex-col gap-2 text-sm">
      <p>
        This installation offers version {data.version} of the agent. To change to it, run this on the computer{' '}
        {way.where}, and answer the question for a token with Enter. Jobs survive the restart of the agent.
      </p>
      <CodeBlock label="Command" code={way.command('', data.version)} />
    </div>
  )
}
