import type { System } from '@platen/resources/agent-commands.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Enrollment } from '../../../api/gen/schema.ts'
import { useLive, useResource } from '../../../api/live.tsx'
import { useNow } from '../../../ui/time.tsx'
import { Validity } from '../computers/enrollment-tokens.tsx'
import { SpoolerProblem } from '../spooler-problem.tsx'
import { isLocal, isWithoutTls } from './commands.ts'
import { TestPage } from './test-page.tsx'
import { useNewComputer } from './use-new-computer.ts'

/** After it without progress, the open step lists what to check. */
const STUCK_MS = 60_000

interface StepsProps {
  token: Enrollment
  createdAt: number
  system: System
}

/** Four steps, which complete while the agent is enrolled and started. */
export function Steps({ token, createdAt, system }: StepsProps) {
  const { mode, resources } = useLive()
  const { isUsed, computer, printers } = useNewComputer(token, createdAt)
  const [jobId, setJobId] = useState('')
  const job = useResource('printjob', jobId)
  const isStuck = useNow(5_000) - createdAt > STUCK_MS
  const isOnline = computer?.state === 'online'
  return (
    <ol className="flex flex-col gap-3" aria-label="Steps">
      <Step title="Enrolled" isDone={isUsed}>
        {isUsed ? (
          'The agent has used the token.'
        ) : (
          <>
            Run the command on the computer. The token is for one computer. Valid for:{' '}
            <Validity token={{ ...token, uses: 0 }} />
          </>
        )}
        {!isUsed && isStuck && (
          <Checks>
            {isLocal() && system !== 'This computer' && (
              <li>The command works on this computer only: see the hint above about {location.hostname}.</li>
            )}
            {isWithoutTls() && <li>The agent refuses an address without TLS: see the hint above.</li>}
            <li>
              The computer does not reach <code className="font-mono text-xs">{location.origin}</code>. Open it in a
              browser there. A proxy or firewall may be in between.
            </li>
          </Checks>
        )}
      </Step>
      <Step title="Online" isDone={isOnline}>
        {computer ? (
          <Link to="/$mode/computers/$computerId" params={{ mode, computerId: computer.id }} className="link">
            {computer.name}
          </Link>
        ) : (
          'The agent connects when it runs.'
        )}
        {isUsed && !isOnline && isStuck && (
          <Checks>
            <li>The agent does not run. Its log names the reason.</li>
            <li>The port of the agents is blocked between the computer and Platen.</li>
          </Checks>
        )}
      </Step>
      <Step title="Printers found" isDone={printers.length > 0}>
        {printers.length > 0
          ? printers.map(({ displayName }) => displayName).join(', ')
          : !computer?.spoolerProblem && 'The agent reports the printers of the computer.'}
        {computer && printers.length === 0 && (
          <SpoolerProblem computer={computer} className="mt-1 rounded-md border" hasButton />
        )}
        {isOnline && printers.length === 0 && isStuck && !computer.spoolerProblem && (
          <Checks>
            <li>The computer has no printer. Add one to its operating system, and the agent reports it.</li>
          </Checks>
        )}
      </Step>
      <Step title="Test page printed" isDone={job?.state === 'done'}>
        {computer && printers.length > 0 ? (
          <TestPage
            computerId={computer.id}
            job={job}
            onSent={(sent) => {
              resources.put('printjob', sent)
              setJobId(sent.id)
            }}
          />
        ) : (
          'The printers are offered here.'
        )}
      </Step>
    </ol>
  )
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className="flex gap-3" data-done={isDone}>
      <span aria-hidden className={`w-4 shrink-0 text-center ${isDone ? 'text-ok' : 'text-muted'}`}>
        {isDone ? '●' : '○'}
      </span>
      <div className="min-w-0 text-sm">
        <p className="font-medium">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': not yet'}</span>
        </p>
        <div className="text-muted">{children}</div>
      </div>
    </li>
  )
}

function Checks({ children }: { children: ReactNode }) {
  return (
    <div className="mt-1 rounded-md border bg-warn-soft p-3 text-text">
      <p className="mb-1 font-semibold">Nothing happened for a minute</p>
      <ul className="list-disc pl-5">
        {children}
        <li>
          <code className="font-mono text-xs">platen-agent doctor</code> on the computer finds the cause.
        </li>
      </ul>
    </div>
  )
}
