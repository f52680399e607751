import { useEffect, useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { createJobCall, type NewJob, toFormCommand } from '../../api/new-job.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

interface JobCurlProps {
  /** Its document is in the file, unless it is a reprint. */
  body: NewJob
  fileName: string | undefined
  idempotencyKey: string
}

/** The request of a new job as a command. */
export function JobCurl({ body, fileName, idempotencyKey }: JobCurlProps) {
  const { toCurl } = useLive()
  const [text, setText] = useState('')
  const key = JSON.stringify(body)
  useEffect(() => {
    let isCurrent = true
    const sent = JSON.parse(key) as NewJob
    const call = createJobCall(sent, idempotencyKey)
    void toCurl(call).then((command) => {
      if (isCurrent) setText(fileName === undefined ? command : toFormCommand(command, sent, fileName))
    })
    return () => {
      isCurrent = false
    }
  }, [toCurl, key, fileName, idempotencyKey])
  return <CodeBlock label="The same request with an API key" code={text} />
}
