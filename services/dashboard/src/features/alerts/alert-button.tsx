import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { type AlertDevice, AlertDialog } from './alert-dialog.tsx'

/** A button of the page of a printer or a computer. */
export function AlertButton({ device }: { device: AlertDevice }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Alert me …</Button>
      {isOpen && <AlertDialog device={device} onClose={() => setIsOpen(false)} />}
    </>
  )
}
