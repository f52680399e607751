import { type System, WAYS, type Way } from '@platen/resources/agent-commands.ts'
import { useState } from 'react'
import type { Enrollment } from '../../../api/gen/schema.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import type { AgentPackages } from './use-agent-packages.ts'

interface InstallProps {
  system: System
  packages: AgentPackages
  /** Whether the packages that the system needs exist. */
  isAvailable: boolean
  created: { token: Enrollment } | undefined
}

/** The command for the computer and the packages that it installs, or how an operator gets them. */
export function Install({ system, packages, isAvailable, created }: InstallProps) {
  const way: Way = WAYS[system]
  const [allowsNetworkPrinters, setAllowed] = useState(true)
  if (!isAvailable) return <Missing system={system} packages={packages} />
  return (
    <>
      {created && (
        <>
          <p className="text-sm">
            Run this {way.where}.
            {way.asksForToken && ' It downloads the agent, verifies it, installs it and asks for the token.'}
            {system === 'Docker' && ' Replace the address of CUPS.'}
          </p>
          <CodeBlock
            label="Command"
            code={way.command({
              server: location.origin,
              token: created.token.token,
              version: packages.version ?? 'VERSION',
              allowsNetworkPrinters,
            })}
          />
          <label className="flex gap-2 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0"
              checked={allowsNetworkPrinters}
              onChange={({ target }) => setAllowed(target.checked)}
            />
            <span>
              Allow network printers
              <span className="block text-muted">
                Owners and admins of the organization may search the networks of the computer for printers and add them
                here. Whoever runs the command decides: without{' '}
                <code className="font-mono text-xs">
                  {system === 'Windows' ? '-AllowNetworkPrinters' : '--allow-network-printers'}
                </code>{' '}
                the agent opens no address that is typed here.
              </span>
            </span>
          </label>
          {way.asksForToken && <CodeBlock label="Token" code={created.token.token} />}
          {packages.isSigned && (system === 'Linux' || system === 'macOS') && (
            <p className="text-sm">
              With <code className="font-mono text-xs">--auto-update</code> at its end, the agent installs later
              versions itself. With <code className="font-mono text-xs">--key PUBLIC-KEY</code> behind the address, it
              installs only what the publisher of the packages has signed with this key.
            </p>
          )}
        </>
      )}
      {way.platform && <Packages packages={packages} platform={way.platform} />}
    </>
  )
}

function Packages({ packages, platform }: { packages: AgentPackages; platform: string }) {
  return (
    <details className="text-sm">
      <summary>
        Packages of version {packages.version}, {packages.isSigned ? 'signed' : 'not signed'}
      </summary>
      <ul className="mt-2 flex flex-col gap-2">
        {packages.packages
          .filter((one) => one.platform === platform)
          .map(({ file, sizeBytes, sha256 }) => (
            <li key={file} className="min-w-0">
              <a className="link" href={`/agents/${file}`} download>
                {file}
              </a>{' '}
              ({Math.ceil(sizeBytes / 1e6)} MB)
              <span className="block font-mono text-xs break-all text-muted">SHA-256 {sha256}</span>
            </li>
          ))}
      </ul>
    </details>
  )
}

/** How packages come to each kind of installation. */
const WAYS_TO_PACKAGES = {
  'npm-start':
    'Once it has an address for other computers, npm start builds them after the start, which takes about a minute. To build them now, run this in the clone of Platen.',
  compose:
    'The operator builds them in the clone of Platen, and copies the contents of dist/agent to the folder agents beside compose.yaml.',
  helm: 'The operator builds them in the clone of Platen, and copies the contents of dist/agent to the volume agentPackages.volume of the chart.',
} as const

function Missing({ system, packages: { building, installation } }: { system: System; packages: AgentPackages }) {
  if (building !== null)
    return (
      <p className="text-sm" role="status">
        The packages are being built, which takes about a minute. {building} of them {building === 1 ? 'is' : 'are'}{' '}
        finished. This page shows the command for {system} when all are.
      </p>
    )
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        This installation offers no package for {system} yet. {WAYS_TO_PACKAGES[installation ?? 'npm-start']} This page
        shows the packages as soon as they exist.
      </p>
      <CodeBlock label="Command of the operator" code="npm run package:agent" />
    </div>
  )
}
