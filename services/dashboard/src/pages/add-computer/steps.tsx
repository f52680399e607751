import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { Enrollment } from '../../api/gen/schema.ts'
import { useLive, useResource } from '../../api/live.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { JobState } from '../../ui/job-state.tsx'
import { newId } from '../../ui/new-id.ts'
import { useNow } from '../../ui/time.tsx'
import { makeTestPage } from './test-page.ts'
import { useNewComputer } from './use-new-computer.ts'

/** After it without progress, the page lists the common causes. */
const STUCK_MS = 60_000

/** Four steps, which complete while the agent is enrolled and started. */
export function Steps({ token, createdAt }: { token: Enrollment; createdAt: number }) {
  const { mode, send, resources } = useLive()
  const { isUsed, computer, printers } = useNewComputer(token, createdAt)
  const [jobId, setJobId] = useState('')
  const job = useResource('printjob', jobId)
  const idempotencyKey = useRef(newId())
  const [printer] = printers
  const print = useMutation({
    mutationFn: (printerId: string) =>
      send((api) =>
        api.POST('/v1/printjobs', {
          params: { header: { 'Idempotency-Key': idempotencyKey.current } },
          body: {
            printerId,
            title: 'Test page',
            source: 'dashboard',
            contentType: 'pdf_base64',
            content: makeTestPage(`Test page for ${printer?.displayName}`),
          },
        }),
      ),
    onSuccess(created) {
      idempotencyKey.current = newId()
      resources.put('printjob', created)
      setJobId(created.id)
    },
  })
  const isPrinted = job?.state === 'done'
  const isStuck = useNow(5_000) - createdAt > STUCK_MS && printers.length === 0
  return (
    <>
      <ol className="flex flex-col gap-3" aria-label="Steps">
        <Step title="Token used" isDone={isUsed}>
          Run the command on the computer.
        </Step>
        <Step title="Agent connected" isDone={computer?.state === 'online'}>
          {computer ? (
            <Link to="/$mode/computers/$computerId" params={{ mode, computerId: computer.id }} className="link">
              {computer.name}
            </Link>
          ) : (
            'The agent connects when it runs.'
          )}
        </Step>
        <Step title="Printers found" isDone={printers.length > 0}>
          {printers.length > 0
            ? printers.map(({ displayName }) => displayName).join(', ')
            : 'The agent reports the printers of the computer.'}
        </Step>
        <Step title="Test page printed" isDone={isPrinted}>
          {job ? (
            <span className="flex flex-wrap items-center gap-2">
              <JobState state={job.state} />
              <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: job.id }} className="link">
                {job.title}
              </Link>
            </span>
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              <Button disabled={!printer || print.isPending} onClick={() => printer && print.mutate(printer.id)}>
                Print a test page
              </Button>
              {mode === 'live' && 'It counts as one live print.'}
            </span>
          )}
        </Step>
      </ol>
      {print.isError && <ErrorPanel title="The test page was not printed." error={print.error} />}
      {isStuck && <Causes isUsed={isUsed} isConnected={computer !== undefined} />}
    </>
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

function Causes({ isUsed, isConnected }: { isUsed: boolean; isConnected: boolean }) {
  return (
    <div className="rounded-md border bg-warn-soft p-3 text-sm">
      <p className="mb-1 font-semibold">Nothing happened for a minute</p>
      <ul className="list-disc pl-5">
        {!isUsed && (
          <li>
            The computer does not reach <code className="font-mono text-xs">{location.origin}</code>. A proxy or
            firewall may be in between.
          </li>
        )}
        {isUsed && !isConnected && <li>The agent does not run, or the port of the agents is blocked.</li>}
        {isConnected && <li>The computer has no printer. Add one, and the agent reports it.</li>}
        <li>
          <code className="font-mono text-xs">platen-agent doctor</code> on the computer finds the cause.
        </li>
      </ul>
    </div>
  )
}
