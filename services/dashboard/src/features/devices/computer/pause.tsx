import { useMutation } from '@tanstack/react-query'
import { useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Clock } from '../../../ui/time.tsx'

/** Pauses and resumes a computer. Nothing else resumes it, so the page says it above everything. */
export function usePause({ id, name, pausedAt }: Pick<Computer, 'id' | 'name' | 'pausedAt'>) {
  const { send, resources } = useLive()
  return useMutation({
    mutationFn: () =>
      send((api) =>
        pausedAt
          ? api.POST('/account/computers/{id}/resume', { params: { path: { id } } })
          : api.POST('/account/computers/{id}/pause', { params: { path: { id } } }),
      ),
    onSuccess(computer) {
      resources.put('computer', computer)
      announce(`${computer.pausedAt ? 'Paused' : 'Resumed'} ${name}`)
    },
  })
}

type Pause = ReturnType<typeof usePause>

export function PauseButton({ computer, pause }: { computer: Pick<Computer, 'pausedAt'>; pause: Pause }) {
  const { isPermitted } = useLive()
  return (
    <Button
      disabled={pause.isPending}
      onClick={() => pause.mutate()}
      disabledReason={isPermitted('pauseComputer') ? undefined : 'Only owners and admins can pause computers.'}
    >
      {computer.pausedAt ? 'Resume' : 'Pause'}
    </Button>
  )
}

export function PauseNotice({ computer: { pausedAt }, pause }: { computer: Pick<Computer, 'pausedAt'>; pause: Pause }) {
  return (
    <>
      {pause.error && <ErrorPanel title="The computer was not changed." error={pause.error} />}
      {pausedAt && (
        <p className="rounded-md border bg-warn-soft p-3 text-sm">
          Paused since <Clock time={pausedAt} />. New jobs wait until the computer is resumed, or they expire.
        </p>
      )}
    </>
  )
}
