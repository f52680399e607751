import { useNavigate } from '@tanstack/react-router'
import { useLive } from '../../api/live.tsx'
import type { Computer } from '../../api/resources.ts'
import { Button } from '../../ui/button.tsx'

/** Leads to the page that adds a network printer to a computer. */
export function AddPrinterButton({ computer: { id, state } }: { computer: Computer }) {
  const { mode, isPermitted } = useLive()
  const navigate = useNavigate()
  return (
    <Button
      onClick={() =>
        void navigate({ to: '/$mode/computers/$computerId/add-printer', params: { mode, computerId: id } })
      }
      disabledReason={
        isPermitted('addNetworkPrinter')
          ? state === 'online'
            ? undefined
            : 'The computer is offline.'
          : 'Only owners and admins can add printers.'
      }
    >
      Add a network printer
    </Button>
  )
}
