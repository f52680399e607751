import { type ClientPackages, useClientPackages } from '../api/use-client-packages.ts'
import { CodeBlock } from './code-block.tsx'

interface InstallClientProps {
  client: ClientPackages['packages'][number]['client']
  label: string
}

/** The line that installs a client from this installation. Nothing while the installation offers none. */
export function InstallClient({ client, label }: InstallClientProps) {
  const { data } = useClientPackages()
  const found = data?.packages.find((one) => one.client === client)
  return found ? <CodeBlock label={label} code={found.install} /> : null
}
