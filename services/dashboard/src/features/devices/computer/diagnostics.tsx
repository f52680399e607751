import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Diagnostics as Collected } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { download } from '../../../ui/download.ts'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Clock } from '../../../ui/time.tsx'

/** What the agent of a computer sends on request, as the plain text that it is. */
export function Diagnostics({ computer: { id, name, state } }: { computer: Computer }) {
  const { key, send, isPermitted } = useLive()
  const queryClient = useQueryClient()
  const [isShown, setIsShown] = useState(false)
  const queryKey = [...key, 'diagnostics', id]
  const kept = useQuery({
    queryKey,
    enabled: isShown,
    queryFn: ({ signal }) =>
      send((api) => api.GET('/account/computers/{id}/diagnostics', { params: { path: { id } } }), signal),
  })
  const ask = useMutation({
    mutationFn: () => send((api) => api.POST('/account/computers/{id}/diagnostics', { params: { path: { id } } })),
    onSuccess() {
      announce(`Diagnostics of ${name} are there`)
      setIsShown(true)
      void queryClient.invalidateQueries({ queryKey })
    },
  })
  if (!isPermitted('listDiagnostics')) return null
  return (
    <Section title="Diagnostics">
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => ask.mutate()}
          disabled={ask.isPending}
          disabledReason={state === 'online' ? undefined : 'The computer is offline.'}
        >
          {ask.isPending ? 'Collecting …' : 'Ask for diagnostics'}
        </Button>
        {!isShown && <Button onClick={() => setIsShown(true)}>Show the last ones</Button>}
      </div>
      {ask.error && <ErrorPanel title="The agent sent no diagnostics." error={ask.error} />}
      {isShown && (
        <Loaded query={kept} failure="The diagnostics could not be loaded.">
          {({ data }) =>
            data.length === 0 ? (
              <p className="mt-3 text-sm text-muted">None of the last 14 days.</p>
            ) : (
              data.map((one) => <Shown key={one.id} diagnostics={one} name={name} />)
            )
          }
        </Loaded>
      )}
    </Section>
  )
}

function Shown({ diagnostics: { createdAt, text }, name }: { diagnostics: Collected; name: string }) {
  return (
    <details className="mt-3 text-sm">
      <summary>
        <Clock time={createdAt} />
      </summary>
      <Button
        className="my-2"
        onClick={() => download(`diagnostics-${name.replaceAll(/[^\w-]+/g, '-')}-${createdAt}.txt`, 'text/plain', text)}
      >
        Save as a file
      </Button>
      <pre className="max-h-96 overflow-auto rounded-md border p-2 font-mono text-xs">{text}</pre>
    </details>
  )
}
