// Made by generate.py: random pipelines, as literals and at run time.

#include "random_passes.hpp"

TEST_CASE("pipeline: random texts mean the same as literals and at run time, seed 1", "[pipeline][random]") {
    using random_pipelines::check;
    check<"V", 1>({.level = 1, .disabled = {"V"}, .required = {}, .refused = ""});
    check<"seq(repeat(U, only_if[short](V,V), repeat{times=0}(A,U))), part(fixpoint{limit=0}(only_if[short](PC,PC,PT), twice{again=False}(PB), only_if[short](PT))), part(seq(seq(PT, PD),resolved()))", -1>({.level = 4, .disabled = {"U"}, .required = {}, .refused = ""});
    check<"part(),O{large=9223372036854775808},resolved(O{small\n=-36,large =0,narrow\n=0,colour=2})", -1>({.level = 4, .disabled = {"V"}, .required = {"O"}, .refused = ""});
    check<"E,\nrepeat{times=3}(U)", -1>({.level = 0, .disabled = {"sequential"}, .required = {}, .refused = ""});
    check<"U,C,part(piece(QB,QA),PT)", -1>({.level = 3, .disabled = {"QA"}, .required = {"PT"}, .refused = ""});
    check<"fixpoint{limit=2}(N{by_name.words= 3}),part(PT, PA, PD)", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](U,seq[part](E,B)),part(piece(QA,QB,QB), PT, PO{narrow=1,flag =\nFalse}),O{}", 3>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](fixpoint{limit=0}(E),A),seq(seq[\"[1]\",0](C,B,U),only_if[short](O{word\n=\"\",flag=\nFalse},V))", -1>({.level = 0, .disabled = {"U"}, .required = {}, .refused = ""});
    check<"N{lists.x=[\"b c\"],lists.by_name=[a,\"b c\",\"\"],by_name.words=3}", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(only_if[short](T,PA))", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"repeat(C,repeat{times=1}(D, A),part(resolved[sequential,1](PD),\npiece(QD, QA))),T", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"C", -1>({.level = 2, .disabled = {"O"}, .required = {"C"}, .refused = "O"});
    check<"T,part(resolved(PD),\nPT,\npiece(QA,QA,QC)),D", 2>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PB)", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"part(fixpoint{limit=2}(PO{\"count\"=3,\"large\"=18446744073709551615,\"word\"=\"10\",wide=1e5})), seq(N{lists=[]},N{words= [\"]\",\"]\"],lists.x= [\"\",\"b c\",\"a\"]}), N{}", -1>({.level = 1, .disabled = {"PO"}, .required = {}, .refused = ""});
    check<"part(repeat{times=1}(T)), seq(E), part(only_if[short](T,PB,PD), piece(QD,QD))", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"E,\nonly_if[short](U),\nresolved(T,E)", -1>({.level = 4, .disabled = {"sequential"}, .required = {}, .refused = ""});
    check<"fixpoint{limit=2}(V,O{count\n=5}),D", -1>({.level = 2, .disabled = {"V"}, .required = {}, .refused = ""});
    check<"part(PB,\nPD),resolved(D,E)", 0>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved(N{numbers=[5],by_name.words=3,lists=\n[x]},\nD,\nV),resolved[\"[1]\",1](part(T,PB,PD),\nresolved(only_if[short](T,V,N)))", -1>({.level = 3, .disabled = {"[1]"}, .required = {}, .refused = "D"});
    check<"C,seq[PA](E)", -1>({.level = 4, .disabled = {}, .required = {"PA"}, .refused = "C"});
    check<"V,fixpoint{limit=2}(U,T,E),part(PT)", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved(E,N{},C), resolved[D](V)", -1>({.level = 2, .disabled = {"V"}, .required = {"QC"}, .refused = ""});
    check<"twice(T),\nA,\nseq(seq(O{large =0,flag= True,wide=\n1,narrow= -2.5},B))", -1>({.level = 4, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"E,O{colour\n=2,narrow=1e10,word=\n10,\"count\" =3},V", 2>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"E,\nrepeat{times=0}(C)", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"E,\nN{words= [a,\"]\",\"b c\"],by_name.a= 9,numbers=[2,8,-3],c\n=4}", -1>({.level = 2, .disabled = {}, .required = {"only_if"}, .refused = ""});
    check<"part(PO{colour\n=\"dark\",count= 6,\"flag\" =\nFalse},piece(QC,resolved(QC,QA))),part(piece(seq(QC,QD),only_if[short](QC),QB)),C", -1>({.level = 1, .disabled = {}, .required = {"QB"}, .refused = ""});
    check<"fixpoint{limit=0}(seq[\"D\",0](B),C),\nseq()", -1>({.level = 3, .disabled = {"B"}, .required = {}, .refused = ""});
    check<"resolved(seq(twice{again=False}(C,U),resolved[\"a b\",4](O{small=49},\nE)))", -1>({.level = 3, .disabled = {"C"}, .required = {"O"}, .refused = ""});
    check<"E,O{colour=2,narrow=1e10,wide= 1E-3,small= -36}", 3>({.level = 3, .disabled = {}, .required = {"O"}, .refused = ""});
    check<"twice{again=False}(B),seq(N{lists.lists=[a],lists.by_name\n=[\"]\",a]})", -1>({.level = 1, .disabled = {}, .required = {"B"}, .refused = "N"});
    check<"E", -1>({.level = 0, .disabled = {"QC"}, .required = {}, .refused = "E"});
    check<"A", -1>({.level = 0, .disabled = {"A"}, .required = {}, .refused = ""});
    check<"part(only_if[short](PC), seq(PD)),A,E", -1>({.level = 1, .disabled = {}, .required = {"PC"}, .refused = ""});
    check<"part(PC), resolved[\"[1]\",1](E)", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"part(piece(QA, QD, QA)),part(piece(QA))", 0>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"N{\"lists.x\" =[],c=4}, A", -1>({.level = 2, .disabled = {"piece"}, .required = {}, .refused = ""});
    check<"E,repeat{times=3}(N{by_name.words= 3,lists.by_name=[],\"by_name.a\"=9}),only_if[short](D)", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(piece(resolved[sequential,0](QC,QB),QA)),seq(resolved(only_if[short](T,D,B)),\npart(),\nA),only_if[short](part(PD, seq(PA), twice()))", -1>({.level = 3, .disabled = {"QB"}, .required = {"D"}, .refused = "PD"});
    check<"part(PB,\nfixpoint(PO{\"count\"=5,small= 111,flag=True,wide = 123456.75})), U, resolved(B,\nA)", -1>({.level = 3, .disabled = {}, .required = {"U"}, .refused = ""});
    check<"resolved[sequential](O{count=\n8,narrow = 0},twice{again=False}(C),part(T))", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved(resolved(O{large = 7,flag=\nFalse,colour=\"light one\",count=1},V,D),O{large\n=18446744073709551615,colour=\"dark\"},part(PB)),\nN{},\ntwice(fixpoint{limit=3}(B,U))", 4>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"twice(C,\npart(PO{small = -70,large =0,\"wide\"=-INF,narrow\n=0.1})),B,twice{again=False}(repeat{times=1}(N{},T),only_if[short](N{by_name.a=9}))", -1>({.level = 4, .disabled = {"T"}, .required = {"repeat"}, .refused = ""});
    check<"E,part(PD)", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"E", -1>({.level = 2, .disabled = {}, .required = {"QC"}, .refused = "QC"});
    check<"N{lists.lists= [],by_name.words=3,c=4,nn.conv2d =\n-1}, A", -1>({.level = 0, .disabled = {"A"}, .required = {"A"}, .refused = ""});
    check<"resolved[\"a b\",4](B,\nD),resolved(N{lists.by_name=\n[\"b c\",\"b c\",a],by_name =5,lists.x\n= [\"]\",\"\",\"b c\"]},O{wide=0,narrow=1e10})", -1>({.level = 3, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"B,A,O{}", 2>({.level = 2, .disabled = {}, .required = {}, .refused = "O"});
    check<"B,\npart(PD,PT,PC)", -1>({.level = 4, .disabled = {}, .required = {}, .refused = "PC"});
    check<"part(),only_if[short](part(PD,PB,PT),E)", -1>({.level = 2, .disabled = {"PD"}, .required = {}, .refused = ""});
    check<"only_if[short](N{},part(PO{})),D", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PA)", -1>({.level = 3, .disabled = {}, .required = {}, .refused = "PA"});
    check<"T", -1>({.level = 4, .disabled = {"T"}, .required = {}, .refused = ""});
    check<"fixpoint{limit=2}(O{colour= \"light one\",flag=True,wide=0},resolved[seq,2]()), twice(D,B,D)", 4>({.level = 4, .disabled = {}, .required = {"B"}, .refused = ""});
    check<"V,part(PD,\ntwice{again=False}(PA,\nPB))", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"repeat{times=1}(C, E),part(piece(QC))", -1>({.level = 2, .disabled = {"V"}, .required = {}, .refused = ""});
    check<"V, resolved(seq(part(T)))", -1>({.level = 2, .disabled = {}, .required = {"V"}, .refused = ""});
    check<"resolved[\"a b\",3](E), seq[PA](B)", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved(D,resolved(T,D)), resolved[D,0](A, twice{again=False}(N{numbers =[1,4,-7],lists.by_name\n=\n[\"a\",\"b c\"]})), E", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
}
