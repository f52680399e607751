import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toRequest } from '../../api/client.ts'
import { useLive } from '../../api/live.tsx'
import { createJobCall, type NewJob } from '../../api/new-job.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { InstallClient } from '../../ui/install-client.tsx'
import { newId } from '../../ui/new-id.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { toPython, toTypeScript } from './requests.ts'

interface Programs {
  curl: string
  typeScript: string
  python: string
}

/** The request of a job that was sent, for programs. */
export function Code({ body }: { body: NewJob }) {
  const { scope, toCurl } = useLive()
  const [programs, setPrograms] = useState<Programs>()
  useEffect(() => {
    let isCurrent = true
    const call = createJobCall(body, newId())
    const print = async () => {
      const request = await toRequest(scope, call)
      const shown = { url: request.url, method: request.method, body: await request.text() }
      return { curl: await toCurl(call), typeScript: toTypeScript(shown), python: toPython(shown) }
    }
    void print().then((printed) => isCurrent && setPrograms(printed))
    return () => {
      isCurrent = false
    }
  }, [scope, toCurl, body])
  if (!programs) return null
  return (
    <section aria-label="From your program" className="flex min-w-0 flex-col gap-3">
      <h2 className="text-lg font-semibold">The same from your program</h2>
      <TestKey />
      <Tabs
        label="Language"
        tabs={[
          { label: 'curl', content: <CodeBlock label="Shell" code={programs.curl} /> },
          {
            label: 'TypeScript',
            content: (
              <>
                <CodeBlock label="TypeScript" code={programs.typeScript} />
                <InstallClient client="typescript" label="Or install the library" />
              </>
            ),
          },
          {
            label: 'Python',
            content: (
              <>
                <CodeBlock label="Python" code={programs.python} />
                <InstallClient client="python" label="Or install the library" />
              </>
            ),
          },
        ]}
      />
    </section>
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
        <CodeBlock label="Your test key, shown once" code={`export PLATEN_KEY=${create.data.key}`} />
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
