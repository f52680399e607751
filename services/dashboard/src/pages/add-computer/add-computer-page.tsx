import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Enrollment } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import { serverNow } from '../../api/server-time.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Section } from '../../ui/section.tsx'
import { Validity } from '../computers/enrollment-tokens.tsx'
import { isWithoutTls, SYSTEMS, type System } from './commands.ts'
import { Steps } from './steps.tsx'

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
  const [system, setSystem] = useState<System>('Linux')
  const create = useMutation({
    mutationFn: async (): Promise<Created> => ({
      token: await send((api) => api.POST('/v1/enrollments', { body: {} })),
      at: serverNow(),
    }),
    gcTime: 0,
  })
  const reason =
    mode === 'test'
      ? 'Test mode has one virtual computer. Switch to live mode.'
      : isPermitted('createEnrollment')
        ? undefined
        : 'Only owners and admins can add computers.'
  return (
    <>
      <PageHeader title="Add a computer" path={[{ label: 'Computers', to: '/$mode/computers' }]} />
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        {create.isError && <ErrorPanel title="The token was not created." error={create.error} />}
        <Section
          title="1. Enrol the computer"
          actions={
            <Button
              variant={create.data ? 'normal' : 'primary'}
              disabled={create.isPending}
              disabledReason={reason}
              onClick={() => create.mutate()}
            >
              {create.data ? 'Create another token' : 'Create a token'}
            </Button>
          }
        >
          <div className="flex flex-col gap-4">
            <fieldset className="flex flex-wrap gap-4 text-sm" aria-label="System">
              {(Object.keys(SYSTEMS) as System[]).map((one) => (
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
            <p className="text-sm">
              Install the package of the agent on the computer, which{' '}
              <a href="/docs" className="link">
                the documentation
              </a>{' '}
              describes. Then run this command there. The token is for one computer and 15 minutes.
              {system === 'Docker' && ' Replace VERSION by the tag of the image, and the address of CUPS.'}
            </p>
            {isWithoutTls() && (
              <p className="rounded-md border bg-warn-soft p-3 text-sm">
                {location.origin} has no TLS, so agents refuse to enrol on other computers: others could read the token
                and the documents on the network. Ask the operator of this installation for an address with https://.
              </p>
            )}
            {create.data ? (
              <>
                <CodeBlock label="Command" code={SYSTEMS[system](create.data.token.token)} />
                <p className="text-sm">
                  Token valid for: <Validity token={{ ...create.data.token, uses: 0 }} />
                </p>
              </>
            ) : (
              <p className="text-sm text-muted">{reason ?? 'Create a token to see the command.'}</p>
            )}
          </div>
        </Section>
        {create.data && (
          <Section title="2. Follow the progress">
            <div className="flex flex-col gap-4">
              <Steps key={create.data.token.id} token={create.data.token} createdAt={create.data.at} />
            </div>
          </Section>
        )}
      </div>
    </>
  )
}
