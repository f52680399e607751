import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { CheckField } from '../ui/field.tsx'
import { areShortcutsOn, listShortcuts, setShortcuts } from '../ui/shortcuts.ts'

/** The shortcuts of the page, and the choice to switch them off. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const [shortcuts] = useState(listShortcuts)
  const [isOn, setIsOn] = useState(areShortcutsOn)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[4rem_minmax(0,1fr)] gap-y-2 text-sm" aria-label="Shortcuts of this page">
        {shortcuts.map(({ key, label }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border bg-raised px-1.5 font-mono text-xs">
                {key.replace('Control+', 'Ctrl ')}
              </kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <CheckField
        label="Use shortcuts of one key"
        hint="Stored in this browser."
        checked={isOn}
        onChange={({ target }) => {
          setShortcuts(target.checked)
          setIsOn(target.checked)
        }}
      />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
