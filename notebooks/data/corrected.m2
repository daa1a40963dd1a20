S She have two cat .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S Yesterday he go to market with his friends .
A 2 3|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

S I am agree with the you opinion .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 5 6|||R:PRON|||your|||REQUIRED|||-NONE-|||0

S He likes the music and play guitar every days .
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0

S We discussed about the problem during two hours .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S There is many peoples in the street at weekend .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||people|||REQUIRED|||-NONE-|||0
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0

S My sister is more taller than me and she run fastly .
A 3 4|||U:ADV||||||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:SVA|||runs|||REQUIRED|||-NONE-|||0
A 10 11|||R:ADV|||fast|||REQUIRED|||-NONE-|||0

S i want to visit paris because it is beautifull .
A 0 1|||R:ORTH|||I|||REQUIRED|||-NONE-|||0
A 4 5|||R:ORTH|||Paris|||REQUIRED|||-NONE-|||0
A 8 9|||R:SPELL|||beautiful|||REQUIRED|||-NONE-|||0

S The childrens was playing in garden when it start to rain .
A 1 2|||R:NOUN:INFL|||children|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:TENSE|||started|||REQUIRED|||-NONE-|||0

S He explained me the rule very good .
A 2 2|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 6 7|||R:ADV|||well|||REQUIRED|||-NONE-|||0

S They has lived here since five years .
A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 4 5|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S I look forward to hear from you soon
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0

S It depends of the weather and of how many peoples comes .
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN:NUM|||people|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||0

S Always he is late for the school .
A 0 3|||R:WO|||He is always|||REQUIRED|||-NONE-|||0
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0

S What you think about this book ?
A 1 1|||M:VERB|||do|||REQUIRED|||-NONE-|||0

S The informations what he gave me were very usefull .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0
A 2 3|||R:PRON|||that|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0
A 8 9|||R:SPELL|||useful|||REQUIRED|||-NONE-|||0

