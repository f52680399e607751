import { useEffect, useState } from 'react'
import type { Call } from '../api/client.ts'
import { useLive } from '../api/live.tsx'
import { CodeBlock } from './code-block.tsx'

/** A request as a command. It is printed by the function that sends it. */
export function Curl({ label, call }: { label: string; call: Call<unknown> }) {
  const { toCurl } = useLive()
  const [text, setText] = useState('')
  useEffect(() => {
    let isCurrent = true
    void toCurl(call).then((command) => isCurrent && setText(command))
    return () => {
      isCurrent = false
    }
  }, [toCurl, call])
  return <CodeBlock label={label} code={text} />
}
