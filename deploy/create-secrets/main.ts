/** `platen create-secrets`: prints the Secrets of a new installation on Kubernetes, for `kubectl create -f -`. */
import { runCommand } from '../run-command.ts'
import { createSecrets } from '../secrets.ts'
import { renderSecret, toSecretData } from './manifest.ts'

await runCommand(async () => renderSecret('platen-secrets', toSecretData(createSecrets())))
