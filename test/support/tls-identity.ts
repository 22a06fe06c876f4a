import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A server that calls itself `localhost`, vouched for by an authority that nobody knows: made for these tests alone. */
export const TEST_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBVTCB+6ADAgECAgEBMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMMDlRlc3QgYXV0
aG9yaXR5MCAXDTAwMDEwMTAwMDAwMFoYDzIwOTkxMjMxMDAwMDAwWjAZMRcwFQYD
VQQDDA5UZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHLG
WM3n6SVBbWMX8HLWmpWRBncmpbCMlG0FZAN2YSwTcQ/H7oGesUDUO6xerwHwhGNp
2B5iDf/Z1Yrg4mLEttWjMjAwMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFHs9
2avPrLAgFIbEJrma3lUjsw8RMAoGCCqGSM49BAMCA0kAMEYCIQDFvNzQRKPCjZP+
qx1hbk3w2LE5nTIc3xWfRyRuAw6gVwIhAJRtHf4RFuA+NNs4a+1EyufSXhg1dL0C
+4C+DgXO6Da/
-----END CERTIFICATE-----
`

export const LOCALHOST_IDENTITY = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIBAjAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5UZXN0IGF1
dGhvcml0eTAgFw0wMDAxMDEwMDAwMDBaGA8yMDk5MTIzMTAwMDAwMFowFDESMBAG
A1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEg6HhMazB
WY1c9wWzw0VZuN/CPWFNi9lWgv9Ej+9uZOtdv5Nbe1CIffRmZDP1bNu5UFeIpiHf
xA7W5p165OAH3qNjMGEwFAYDVR0RBA0wC4IJbG9jYWxob3N0MAkGA1UdEwQCMAAw
HQYDVR0OBBYEFNscMyLfQiELEs73c+7HZXOIb31sMB8GA1UdIwQYMBaAFHs92avP
rLAgFIbEJrma3lUjsw8RMAoGCCqGSM49BAMCA0cAMEQCIG1vWJOPMgrIomDDn1lp
oMfaKXOchDg7/xd3MGW1w6ijAiAmt6CD1wbhHXp7lvsEZbxE68Hyv23H7gtn2sa2
l7vhAg==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2qE9XMIz+AKZu9mK
e2a4G/t9QX/ZOQy/fk74DCuZUCyhRANCAASDoeExrMFZjVz3BbPDRVm438I9YU2L
2VaC/0SP725k612/k1t7UIh99GZkM/Vs27lQV4imId/EDtbmnXrk4Afe
-----END PRIVATE KEY-----
`,
}

/** Writes the server's certificate and key, and the authority's certificate, into a folder. */
export async function writeIdentity(
  folder: string,
): Promise<{ cert: string; key: string; authority: string }> {
  const files = {
    cert: join(folder, 'tls.crt'),
    key: join(folder, 'tls.key'),
    authority: join(folder, 'ca.crt'),
  }
  await writeFile(files.cert, LOCALHOST_IDENTITY.cert)
  // Postgres refuses a key that others may read.
  await writeFile(files.key, LOCALHOST_IDENTITY.key, { mode: 0o600 })
  await writeFile(files.authority, TEST_AUTHORITY)
  return files
}
