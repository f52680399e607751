import { useBlocker } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

/** Asks before a page with changes that are not saved is left, also by closing the tab. */
export function UnsavedChanges({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <p className="text-sm">Your changes of this page are not saved.</p>
      <DialogButtons>
        <Button onClick={reset}>Continue editing</Button>
        <Button variant="danger" onClick={proceed}>
          Leave without saving
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
