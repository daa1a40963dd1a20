S She have two cat .
A 1 2|||R:VERB:SVA|||has||had|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A 3 3|||M:ADJ|||small|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||1

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The the end .
A 1 2|||U:DET||||||REQUIRED|||-NONE-|||0
