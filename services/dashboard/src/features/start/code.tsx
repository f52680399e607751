import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { createJobCall, FILE_CONTENT, type NewJob, toFormCommand } from '../../api/new-job.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { InstallClient } from '../../ui/install-client.tsx'
import { newId } from '../../ui/new-id.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { toCommand, toPython, toTypeScript } from './requests.ts'

interface CodeProps {
  body: NewJob
  fileName: string
  /** The name of the printer. */
  printer: string
}

/** A job that was sent, as programs send it. */
export function Code({ body, fileName, printer }: CodeProps) {
  const { toCurl } = useLive()
  const [curl, setCurl] = useState('')
  useEffect(() => {
    let isCurrent = true
    const sent = { ...body, content: FILE_CONTENT }
    void toCurl(createJobCall(sent, newId())).then((command) => {
      if (isCurrent) setCurl(toFormCommand(command, sent, fileName))
    })
    return () => {
      isCurrent = false
    }
  }, [toCurl, body, fileName])
  const shown = { printer, title: body.title, fileName }
  return (
    <section aria-label="From your program" className="flex min-w-0 flex-col gap-3">
      <h2 className="text-lg font-semibold">The same from your program</h2>
      <TestKey />
      <Tabs
        label="Language"
        tabs={[
          {
            label: 'Command line',
            content: <Program label="Shell" code={toCommand(shown)} client="cli" />,
          },
          {
            label: 'TypeScript',
            content: <Program label="TypeScript" code={toTypeScript(shown)} client="typescript" />,
          },
          { label: 'Python', content: <Program label="Python" code={toPython(shown)} client="python" /> },
          { label: 'curl', content: <CodeBlock label="Shell" code={curl} /> },
        ]}
      />
    </section>
  )
}

interface ProgramProps {
  label: string
  code: string
  client: 'cli' | 'typescript' | 'python'
}

/** A program, and how the client that it needs is installed. */
function Program({ label, code, client }: ProgramProps) {
  return (
    <>
      <CodeBlock label={label} code={code} />
      <InstallClient client={client} label="Install it" />
    </>
  )
}

function TestKey() {
  const { send, isPermitted } = useLive()
  const create = useMutation({
    mutationFn: () =>
      send((api) => api.POST('/account/keys', { body: { name: 'First test key', scopes: ['read', 'print'] } })),
  })
  if (create.data)
    return (
      <div className="flex flex-col gap-1">
        <CodeBlock
          label="The address and your test key, shown once"
          code={`export PLATEN_URL=${location.origin} PLATEN_KEY=${create.data.key}`}
        />
        <p className="text-xs text-muted">It prints on the virtual printers only.</p>
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-2">
      {create.isError && <ErrorPanel title="No key was created." error={create.error} />}
      <Button
        disabled={create.isPending}
        onClick={() => create.mutate()}
        disabledReason={isPermitted('createApiKey') ? undefined : 'Only owners and admins can create keys.'}
      >
        Create a test key
      </Button>
    </div>
  )
}
